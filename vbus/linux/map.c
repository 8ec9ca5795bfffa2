// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/vbus/<channel>: a process has the guest's end of a MMAP channel, and does
 * in its own memory what the kernel does for others. It maps the pages of that
 * channel and no others; this driver closes the channel when the process ends.
 * docs/vbus.md, "libvbus".
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <rtmux/vbus_user.h>

#include "rtmux_vbus.h"

struct vbus_file {
	struct vbus_chan *chan;
	struct address_space *mapping;
	struct vbus_channel layout;	/* as the process sees it: offsets are those of mmap */
	struct vbus_channel entry;
	u32 size;			/* of all that can be mapped */
	u32 clock_hz;
	bool revoked;			/* the region is another one: nothing is mapped any more */
	struct page *grave;		/* is mapped then where the process writes */
};

static void vbus_lay_out(struct vbus_file *file)
{
	struct vbus_channel *layout = &file->layout;

	*layout = file->entry = file->chan->entry;
	layout->control = 0;
	layout->guest_control = PAGE_SIZE;
	layout->to_guest.offset = 2 * PAGE_SIZE;
	layout->to_rt.offset = layout->to_guest.offset + PAGE_ALIGN(layout->to_guest.size);
	file->size = layout->to_rt.offset + PAGE_ALIGN(layout->to_rt.size);
	file->clock_hz = file->chan->bus->clock_hz; /* the bus may go before the file */
}

static int vbus_map_open(struct inode *inode, struct file *filp)
{
	struct vbus_chan *chan = container_of(inode->i_cdev, struct vbus_chan, cdev);
	struct vbus_file *file = kzalloc(sizeof(*file), GFP_KERNEL);
	int error = 0;

	if (!file)
		return -ENOMEM;
	file->chan = chan;
	file->mapping = filp->f_mapping;
	file->grave = alloc_page(GFP_KERNEL | __GFP_ZERO);
	mutex_lock(&chan->map.lock);
	if (!file->grave)
		error = -ENOMEM;
	else if (chan->map.file)
		error = -EBUSY;
	else if (chan->map.gone || !chan->attached)
		error = -ENOTCONN;
	else
		chan->map.file = file;
	if (!error)
		vbus_lay_out(file);
	mutex_unlock(&chan->map.lock);
	if (error) {
		if (file->grave)
			__free_page(file->grave);
		kfree(file);
		return error;
	}
	get_device(&chan->dev);
	filp->private_data = file;
	return nonseekable_open(inode, filp);
}

/* What the process wrote into its line is void: the RT side sees the channel closed. */
static int vbus_map_release(struct inode *inode, struct file *filp)
{
	struct vbus_file *file = filp->private_data;
	struct vbus_chan *chan = file->chan;

	mutex_lock(&chan->map.lock);
	if (!file->revoked)
		vbus_step(chan, (vbus_end_close(&chan->end), VBUS_OK));
	if (chan->map.file == file)
		chan->map.file = NULL;
	mutex_unlock(&chan->map.lock);
	__free_page(file->grave);
	kfree(file);
	put_device(&chan->dev);
	return 0;
}

/* The region or the driver goes: processes find their end in an empty page, and the peer's closed. */
void vbus_map_revoke(struct vbus_chan *chan)
{
	struct vbus_file *file;

	mutex_lock(&chan->map.lock);
	chan->map.gone = true; /* or who opens it now would keep the memory that goes */
	file = chan->map.file;
	if (file) {
		file->revoked = true;
		unmap_mapping_range(file->mapping, 0, 0, 1);
		chan->map.file = NULL; /* somebody else may open what comes */
	}
	mutex_unlock(&chan->map.lock);
}

/* The page at an offset of the device: of the region, in the order of vbus_lay_out(). */
static bool vbus_page_at(const struct vbus_file *file, u32 offset, u32 *place, bool *writable)
{
	const struct vbus_channel *layout = &file->layout, *entry = &file->entry;

	*writable = false;
	if (offset >= file->size)
		return false;
	if (offset >= layout->to_rt.offset) {
		*place = entry->to_rt.offset + offset - layout->to_rt.offset;
		*writable = true;
	} else if (offset >= layout->to_guest.offset) {
		*place = entry->to_guest.offset + offset - layout->to_guest.offset;
	} else if (offset >= layout->guest_control) {
		*place = entry->guest_control + offset - layout->guest_control;
		*writable = true;
	} else {
		*place = entry->control + offset;
	}
	return true;
}

static vm_fault_t vbus_map_fault(struct vm_fault *fault)
{
	struct vbus_file *file = fault->vma->vm_file->private_data;
	struct vbus_chan *chan = file->chan;
	unsigned long pfn;
	vm_fault_t result;
	bool writable;
	u32 place;

	mutex_lock(&chan->map.lock);
	if (!vbus_page_at(file, fault->pgoff << PAGE_SHIFT, &place, &writable)) {
		result = VM_FAULT_SIGBUS;
	} else {
		if (!file->revoked)
			pfn = PHYS_PFN(chan->bus->physical + place);
		else if (writable)
			pfn = page_to_pfn(file->grave);
		else
			pfn = my_zero_pfn(fault->address);
		result = vmf_insert_pfn(fault->vma, fault->address, pfn);
	}
	mutex_unlock(&chan->map.lock);
	return result;
}

static const struct vm_operations_struct vbus_vm_operations = {
	.fault = vbus_map_fault,
};

/* One area at a time, as each has its own protection: what the RT side writes cannot be written. */
static int vbus_map_mmap(struct file *filp, struct vm_area_struct *vma)
{
	struct vbus_file *file = filp->private_data;
	unsigned long page, pages = vma_pages(vma);
	bool writable, all_writable = true;
	u32 place;

	if (!(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	if (vma->vm_pgoff >= file->size >> PAGE_SHIFT || pages > (file->size >> PAGE_SHIFT) - vma->vm_pgoff)
		return -ENXIO;
	for (page = vma->vm_pgoff; page < vma->vm_pgoff + pages; page++) {
		vbus_page_at(file, page << PAGE_SHIFT, &place, &writable);
		all_writable &= writable;
	}
	if (!all_writable) {
		if (vma->vm_flags & VM_WRITE)
			return -EACCES;
		vm_flags_clear(vma, VM_MAYWRITE);
	}
	if (vma->vm_flags & VM_EXEC)
		return -EACCES;
	vm_flags_clear(vma, VM_MAYEXEC);
	vm_flags_set(vma, VM_PFNMAP | VM_IO | VM_DONTEXPAND | VM_DONTDUMP | VM_DONTCOPY);
	vma->vm_ops = &vbus_vm_operations;
	return 0;
}

/*
 * In: a record is there, or the epoch has changed, for the process to see. Out: a
 * record of any length fits. The RT side is asked to ring before the look.
 */
static __poll_t vbus_map_poll(struct file *filp, poll_table *wait)
{
	struct vbus_file *file = filp->private_data;
	struct vbus_chan *chan = file->chan;
	__poll_t wanted = poll_requested_events(wait), events = 0;
	struct vbus_side *mine;
	const struct vbus_side *peer;

	poll_wait(filp, &chan->wait, wait);
	mutex_lock(&chan->map.lock);
	if (file->revoked) {
		mutex_unlock(&chan->map.lock);
		return EPOLLERR | EPOLLHUP;
	}
	mine = chan->end.mine;
	peer = chan->end.peer;
	if (wanted & EPOLLIN) {
		u32 tail = vbus_load(&mine->tail, RELAXED);

		vbus_store(&mine->head_event, tail, SEQ_CST);
		if (vbus_load(&peer->head, SEQ_CST) != tail ||
		    vbus_load(&peer->epoch, SEQ_CST) != vbus_load(&mine->peer_epoch, RELAXED))
			events |= EPOLLIN | EPOLLRDNORM;
	}
	if (wanted & EPOLLOUT) {
		u32 head = vbus_load(&mine->head, RELAXED), half = file->entry.to_rt.size / 2;

		vbus_store(&mine->tail_event, head - half - 1, SEQ_CST);
		if (head - vbus_load(&peer->tail, SEQ_CST) <= half &&
		    vbus_load(&peer->peer_epoch, SEQ_CST) == vbus_load(&mine->epoch, RELAXED))
			events |= EPOLLOUT | EPOLLWRNORM;
	}
	mutex_unlock(&chan->map.lock);
	return events;
}

static long vbus_map_ioctl(struct file *filp, unsigned int command, unsigned long argument)
{
	struct vbus_file *file = filp->private_data;
	struct vbus_user_info info = {};

	switch (command) {
	case VBUS_IOC_DOORBELL:
		vbus_doorbell(file->chan->index);
		return 0;
	case VBUS_IOC_INFO:
		info.channel = file->layout;
		info.size = file->size;
		info.clock_hz = file->clock_hz;
		return copy_to_user((void __user *)argument, &info, sizeof(info)) ? -EFAULT : 0;
	default:
		return -ENOTTY;
	}
}

const struct file_operations vbus_map_operations = {
	.owner = THIS_MODULE,
	.open = vbus_map_open,
	.release = vbus_map_release,
	.mmap = vbus_map_mmap,
	.poll = vbus_map_poll,
	.unlocked_ioctl = vbus_map_ioctl,
};
