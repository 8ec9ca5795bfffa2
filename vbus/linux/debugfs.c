// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/debug/vbus/<channel>/: the latency histogram, from the RT side's send
 * to the endpoint's callback, how many endpoints and devices of rpmsg have memory, and
 * the words of the two control lines.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "rtmux_vbus.h"

static struct dentry *vbus_debugfs;

/* Lines "ns count": so many records took less than so many ns, and no less than half of it. */
static int latency_show(struct seq_file *seq, void *data)
{
	struct vbus_chan *chan = seq->private;
	u32 bin, hz = chan->bus->clock_hz ?: 1;

	if (!chan->bus->clock)
		seq_puts(seq, "# the RT clock cannot be read from Linux on this board\n");
	for (bin = 0; bin < VBUS_LATENCY_BINS; bin++) {
		u32 count = READ_ONCE(chan->latency[bin]);

		if (count)
			seq_printf(seq, "%llu %u\n", div_u64((1ull << bin) * NSEC_PER_SEC, hz), count);
	}
	return 0;
}

/* Writing anything clears it. */
static ssize_t latency_write(struct file *file, const char __user *text, size_t length, loff_t *position)
{
	struct vbus_chan *chan = file_inode(file)->i_private;
	u32 bin;

	for (bin = 0; bin < VBUS_LATENCY_BINS; bin++)
		WRITE_ONCE(chan->latency[bin], 0);
	return length;
}

static int latency_open(struct inode *inode, struct file *file)
{
	return single_open(file, latency_show, inode->i_private);
}

static const struct file_operations latency_fops = {
	.owner = THIS_MODULE,
	.open = latency_open,
	.read = seq_read,
	.write = latency_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static void vbus_show_line(struct seq_file *seq, const char *name, const struct vbus_side *side)
{
	seq_printf(seq, "%-5s %10u %10u %10u %10u %10u %10u\n", name, vbus_word(&side->epoch),
		   vbus_word(&side->peer_epoch), vbus_word(&side->head), vbus_word(&side->tail),
		   vbus_word(&side->head_event), vbus_word(&side->tail_event));
}

static int lines_show(struct seq_file *seq, void *data)
{
	struct vbus_chan *chan = seq->private;
	unsigned long irqs;

	seq_puts(seq, "           epoch peer_epoch       head       tail head_event tail_event\n");
	spin_lock_irqsave(&chan->lock, irqs);
	if (chan->attached) {
		vbus_show_line(seq, "rt", chan->end.peer);
		vbus_show_line(seq, "guest", chan->end.mine);
	}
	spin_unlock_irqrestore(&chan->lock, irqs);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(lines);

void vbus_debugfs_add(struct vbus_chan *chan)
{
	chan->debugfs = debugfs_create_dir(dev_name(&chan->dev), vbus_debugfs);
	if (vbus_is(chan, VBUS_CHANNEL_RPMSG)) {
		debugfs_create_file("latency", 0600, chan->debugfs, chan, &latency_fops);
		debugfs_create_atomic_t("objects", 0400, chan->debugfs, &chan->rpmsg.objects);
	}
	debugfs_create_file("lines", 0400, chan->debugfs, chan, &lines_fops);
}

void vbus_debugfs_init(void)
{
	vbus_debugfs = debugfs_create_dir("vbus", NULL);
}

void vbus_debugfs_exit(void)
{
	debugfs_remove_recursive(vbus_debugfs);
}
