/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the boot ROM does on a general-purpose part with a card (manual: "Initialization"): find MLO in the root folder
 * of the card's FAT file system, load it to where its header says, and start it in the public world. The ROM itself is
 * not modelled: no raw mode, no other boot devices.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "exec/address-spaces.h"
#include "sysemu/block-backend.h"
#include "cpu.h"
#include "am335x.h"

#define SECTOR 512
#define LOAD_FIRST 0x402f0400u /* public SRAM that an image may use: 109 KiB */
#define LOAD_END 0x4030b800u
#define PARAMETERS 0x4030cf00u /* what r0 points to */
#define STACK_TOP LOAD_END     /* below the ROM's own data */

enum { BOOT_DEVICE_MMC0 = 8, RESET_COLD = 1, MODE_FILE_SYSTEM = 2 };

typedef struct {
    BlockBackend *card;
    unsigned bits;              /* of a FAT entry: 12, 16 or 32 */
    uint32_t sectors_per_cluster;
    uint32_t fat, root, root_sectors, data; /* first sectors, and the fixed root folder's length */
    uint32_t root_cluster;                  /* FAT32 */
    uint32_t clusters;
} Fat;

static bool rom_read(BlockBackend *card, uint64_t sector, uint8_t *buffer)
{
    return blk_pread(card, sector * SECTOR, SECTOR, buffer, 0) >= 0;
}

static bool fat_open(Fat *f, BlockBackend *card)
{
    uint8_t b[SECTOR];
    uint32_t first = 0, fat_sectors, total;

    if (!rom_read(card, 0, b) || lduw_le_p(b + 510) != 0xaa55) {
        return false;
    }
    if (lduw_le_p(b + 11) != SECTOR) { /* no file system without partitions: the first partition */
        first = ldl_le_p(b + 0x1be + 8);
        if (!rom_read(card, first, b) || lduw_le_p(b + 510) != 0xaa55 || lduw_le_p(b + 11) != SECTOR) {
            return false;
        }
    }
    f->card = card;
    f->sectors_per_cluster = b[13];
    f->fat = first + lduw_le_p(b + 14);
    fat_sectors = lduw_le_p(b + 22) ? lduw_le_p(b + 22) : ldl_le_p(b + 36);
    total = lduw_le_p(b + 19) ? lduw_le_p(b + 19) : ldl_le_p(b + 32);
    f->root = f->fat + b[16] * fat_sectors;
    f->root_sectors = DIV_ROUND_UP(lduw_le_p(b + 17) * 32, SECTOR);
    f->data = f->root + f->root_sectors;
    if (!f->sectors_per_cluster || total <= f->data - first) {
        return false;
    }
    f->clusters = (total - (f->data - first)) / f->sectors_per_cluster;
    f->bits = f->clusters < 4085 ? 12 : f->clusters < 65525 ? 16 : 32;
    f->root_cluster = ldl_le_p(b + 44);
    return true;
}

static bool fat_valid(Fat *f, uint32_t cluster)
{
    return cluster >= 2 && cluster - 2 < f->clusters;
}

/* The cluster after this one in its chain; one that is not valid at the chain's end, and when the card fails. */
static uint32_t fat_next(Fat *f, uint32_t cluster)
{
    uint8_t b[2 * SECTOR];
    uint32_t at = f->bits == 12 ? cluster * 3 / 2 : cluster * (f->bits / 8), entry;

    if (!rom_read(f->card, f->fat + at / SECTOR, b) || !rom_read(f->card, f->fat + at / SECTOR + 1, b + SECTOR)) {
        return 0;
    }
    at %= SECTOR;
    switch (f->bits) {
    case 12:
        entry = lduw_le_p(b + at);
        return cluster % 2 ? entry >> 4 : entry & 0xfff;
    case 16:
        return lduw_le_p(b + at);
    default:
        return ldl_le_p(b + at) & 0x0fffffff;
    }
}

/* The folder entry of MLO in one sector of a folder, or NULL. */
static const uint8_t *fat_entry(const uint8_t *sector)
{
    for (const uint8_t *entry = sector; entry < sector + SECTOR; entry += 32) {
        if (!memcmp(entry, "MLO        ", 11) && !(entry[11] & 0x18)) { /* no label, no folder */
            return entry;
        }
    }
    return NULL;
}

static const uint8_t *fat_find(Fat *f, uint8_t *b)
{
    const uint8_t *entry = NULL;

    if (f->bits == 32) {
        uint32_t left = f->clusters;
        for (uint32_t c = f->root_cluster; fat_valid(f, c) && left && !entry; c = fat_next(f, c), left--) {
            uint64_t sector = f->data + (uint64_t)(c - 2) * f->sectors_per_cluster;
            for (uint32_t i = 0; i < f->sectors_per_cluster && !entry && rom_read(f->card, sector + i, b); i++) {
                entry = fat_entry(b);
            }
        }
    }
    for (uint32_t i = 0; f->bits != 32 && i < f->root_sectors && !entry && rom_read(f->card, f->root + i, b); i++) {
        entry = fat_entry(b);
    }
    return entry;
}

/* Bytes read of MLO, at most size, which is whole sectors; 0: there is none. */
static size_t fat_read_mlo(Fat *f, uint8_t *out, size_t size)
{
    uint8_t b[SECTOR];
    const uint8_t *entry = fat_find(f, b);
    size_t wanted, done = 0;

    if (!entry) {
        return 0;
    }
    wanted = MIN(ldl_le_p(entry + 28), size);
    for (uint32_t c = lduw_le_p(entry + 20) << 16 | lduw_le_p(entry + 26); done < wanted && fat_valid(f, c);
         c = fat_next(f, c)) {
        uint64_t sector = f->data + (uint64_t)(c - 2) * f->sectors_per_cluster;
        for (uint32_t i = 0; i < f->sectors_per_cluster && done < wanted; i++, done += SECTOR) {
            if (!rom_read(f->card, sector + i, out + done)) {
                return done;
            }
        }
    }
    return MIN(done, wanted);
}

static void rom_write(uint32_t at, const void *data, size_t size)
{
    address_space_write(&address_space_memory, at, MEMTXATTRS_UNSPECIFIED, data, size);
}

/* r0 points to this block. Software reads the boot device, and behind two pointers the mode it was read in. */
static void rom_write_parameters(void)
{
    enum { DESCRIPTOR = 0x20, DEVICE_DATA = 0x60 };
    uint32_t block[32] = { 0 };

    block[1] = cpu_to_le32(PARAMETERS + DESCRIPTOR);
    block[2] = cpu_to_le32(RESET_COLD << 8 | BOOT_DEVICE_MMC0);
    block[(DESCRIPTOR + 0x18) / 4] = cpu_to_le32(PARAMETERS + DEVICE_DATA);
    block[(DEVICE_DATA + 8) / 4] = cpu_to_le32(MODE_FILE_SYSTEM);
    rom_write(PARAMETERS, block, sizeof(block));
}

bool am335x_rom_boot(ARMCPU *cpu, BlockBackend *card)
{
    enum { CONFIGURATION_HEADER = 512, GP_HEADER = 8, LARGEST = 128 * 1024 };
    g_autofree uint8_t *file = g_malloc0(LARGEST);
    const uint8_t *image = file;
    uint32_t size, load;
    size_t length;
    Fat fat;

    if (!card || !fat_open(&fat, card) || !(length = fat_read_mlo(&fat, file, LARGEST))) {
        error_report("boot ROM: no MLO in the root folder of a FAT file system on the card in MMC0");
        return false;
    }
    if (length > CONFIGURATION_HEADER && !memcmp(file + 0x14, "CHSETTINGS", 10)) {
        image += CONFIGURATION_HEADER;
        length -= CONFIGURATION_HEADER;
    }
    size = ldl_le_p(image);
    load = ldl_le_p(image + 4);
    if (length <= GP_HEADER || size > length || load < LOAD_FIRST || load >= LOAD_END || size > LOAD_END - load) {
        error_report("boot ROM: MLO is broken or too large: header says %u bytes at %08x, the file has %zu", size, load,
                     length);
        return false;
    }
    rom_write(load, image + GP_HEADER, size);
    rom_write_parameters();
    cpu->env.cp15.scr_el3 |= SCR_NS;
    cpu->env.cp15.nsacr |= 3 << 10; /* the public world may use VFP and NEON */
    arm_rebuild_hflags(&cpu->env);
    cpu_set_pc(CPU(cpu), load);
    cpu->env.regs[0] = PARAMETERS;
    cpu->env.regs[13] = STACK_TOP;
    return true;
}
