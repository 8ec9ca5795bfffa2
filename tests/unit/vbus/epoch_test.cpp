// SPDX-License-Identifier: GPL-2.0-only
// Either side resets, leaves, dies or comes back.
#include "link.hpp"

#include <gtest/gtest.h>
#include <random>

namespace {

using test::End;
using test::Link;

TEST(Epoch, NothingPassesBeforeBothHaveMet) {
    Link link;
    std::string payload;
    EXPECT_EQ(link.rt.send("early"), VBUS_DOWN);
    EXPECT_EQ(link.rt.recv(payload), VBUS_DOWN);
    link.open_guest();
    EXPECT_TRUE(vbus_take_doorbell(&link.guest)) << "the RT side must hear of it";
    EXPECT_EQ(link.guest.send("early"), VBUS_DOWN);
    EXPECT_EQ(link.rt.recv(payload), VBUS_AGAIN) << "both have adopted";
    ASSERT_TRUE(link.meet());
    EXPECT_EQ(link.rt.generation, 0u) << "a first meeting loses nothing";
    EXPECT_EQ(link.guest.generation, 0u);
    EXPECT_EQ(link.guest.send("now"), VBUS_OK);
    ASSERT_EQ(link.rt.recv(payload), VBUS_OK);
    EXPECT_EQ(payload, "now");
}

// Three doorbells bring a channel up: guest opens, RT adopts, guest adopts.
TEST(Epoch, DoorbellsAloneBringItUp) {
    Link link;
    (void)vbus_take_doorbell(&link.rt);
    link.open_guest();
    int rings = 0;
    for (bool more = true; more; rings++) {
        more = false;
        if (vbus_take_doorbell(&link.guest)) {
            (void)link.rt.poll();
            more = true;
        }
        if (vbus_take_doorbell(&link.rt)) {
            (void)link.guest.poll();
            more = true;
        }
        ASSERT_LT(rings, 8);
    }
    EXPECT_TRUE(link.rt.up && link.guest.up);
}

TEST(Epoch, ResetLosesWhatIsUnderWayAndIsSeen) {
    for (const bool by_guest : {false, true}) {
        Link link;
        ASSERT_TRUE(link.attach());
        std::string payload;
        ASSERT_EQ(link.rt.send("lost"), VBUS_OK);
        ASSERT_EQ(link.guest.send("lost"), VBUS_OK);
        vbus_slot slot;
        vbus_message message;
        ASSERT_EQ(link.rt.api->tx_begin(&link.rt, 4, &slot), VBUS_OK);
        ASSERT_EQ(link.rt.api->rx_begin(&link.rt, &message), VBUS_OK);
        End &end = by_guest ? link.guest : link.rt;
        end.api->reset(&end);
        ASSERT_TRUE(link.meet());
        EXPECT_EQ(link.rt.api->tx_commit(&link.rt, &slot, 0, 0, 0), VBUS_RESET);
        EXPECT_EQ(link.rt.api->rx_release(&link.rt, &message), VBUS_RESET);
        EXPECT_GT(link.rt.generation, 0u);
        EXPECT_GT(link.guest.generation, 0u);
        EXPECT_EQ(link.rt.recv(payload), VBUS_AGAIN);
        EXPECT_EQ(link.guest.recv(payload), VBUS_AGAIN);
        ASSERT_EQ(link.rt.send("kept"), VBUS_OK);
        ASSERT_EQ(link.guest.recv(payload), VBUS_OK);
        EXPECT_EQ(payload, "kept");
        EXPECT_EQ(link.rt.stats.violations + link.guest.stats.violations, 0u);
    }
}

TEST(Epoch, CloseIsDown) {
    Link link;
    ASSERT_TRUE(link.attach());
    link.guest.api->close(&link.guest);
    std::string payload;
    EXPECT_EQ(link.rt.recv(payload), VBUS_RESET);
    EXPECT_EQ(link.rt.recv(payload), VBUS_DOWN);
    EXPECT_EQ(link.rt.send("x"), VBUS_DOWN);
    ASSERT_TRUE(link.attach());
    EXPECT_EQ(link.rt.send("x"), VBUS_OK);
}

// A guest that dies at any moment and boots again, its line as it was or full of anything.
TEST(Epoch, GuestComesBackFromAnyState) {
    std::mt19937 random(3);
    for (int round = 0; round < 20000; round++) {
        Link link(256, 256);
        std::string payload;
        if (random() % 2) {
            link.open_guest();
            for (unsigned i = random() % 6; i; i--)
                switch (random() % 4) {
                case 0:
                    (void)link.rt.poll();
                    break;
                case 1:
                    (void)link.guest.poll();
                    break;
                case 2:
                    (void)link.rt.send("stale");
                    break;
                default:
                    (void)link.guest.send("stale");
                }
        } else {
            const uint32_t near = link.rt.epoch + random() % 3 - 1;
            auto *words = reinterpret_cast<uint32_t *>(link.memory.get() + link.channel.control + 64);
            for (int i = 0; i < 6; i++)
                words[i] = random() % 2 ? near : random();
            if (random() % 2)
                (void)link.rt.poll();
        }
        const uint32_t before = link.rt.generation;
        link.guest = End(ring_c);
        ASSERT_TRUE(link.attach()) << "round " << round;
        ASSERT_EQ(link.guest.recv(payload), VBUS_AGAIN) << "stale record";
        ASSERT_EQ(link.rt.recv(payload), VBUS_AGAIN) << "stale record";
        ASSERT_TRUE(link.rt.generation != before || link.rt.stats.tx_records + link.rt.stats.rx_records == 0);
        ASSERT_EQ(link.guest.send("fresh"), VBUS_OK);
        ASSERT_EQ(link.rt.recv(payload), VBUS_OK);
        ASSERT_EQ(payload, "fresh");
        ASSERT_EQ(link.guest.stats.violations, 0u);
    }
}

TEST(Epoch, IndexOfFourGigabytesIsNotStale) {
    // After a reset the RT side's 0 must not look like a record to a tail just below 2^32.
    Link link(256, 256);
    ASSERT_TRUE(link.attach());
    Link::set_position(link.rt, link.guest, -64u);
    link.rt.api->reset(&link.rt);
    std::string payload;
    EXPECT_EQ(link.guest.recv(payload), VBUS_RESET);
    EXPECT_NE(link.guest.recv(payload), VBUS_OK);
    EXPECT_EQ(link.guest.stats.violations, 0u);
}

TEST(Epoch, RegionIsFormattedAndChecked) {
    Link link;
    uint32_t epoch = 0, again = 0;
    uint8_t *base = link.memory.get();
    vbus_header *header = vbus_header_of(base);
    ASSERT_EQ(vbus_check_region(base, link.size, &epoch), VBUS_ATTACHED);
    EXPECT_EQ(vbus_check_region(base, link.size - 1, &again), VBUS_BAD_REGION);
    header->version++;
    EXPECT_EQ(vbus_check_region(base, link.size, &again), VBUS_BAD_VERSION);
    header->version--;
    header->rt.state = VBUS_STATE_STOPPING;
    EXPECT_EQ(vbus_check_region(base, link.size, &again), VBUS_NOT_READY);
    vbus_format(base, link.size, 1, vbus_next_epoch(epoch));
    ASSERT_EQ(vbus_check_region(base, link.size, &again), VBUS_ATTACHED);
    EXPECT_NE(epoch, again);
    EXPECT_EQ(vbus_next_epoch(0xffffffff), 1u);
    header->magic = 0;
    EXPECT_EQ(vbus_check_region(base, link.size, &again), VBUS_NOT_READY);
}

TEST(Epoch, BadDirectoryEntriesAreRefused) {
    Link link;
    uint8_t *base = link.memory.get();
    vbus_channel copy;
    ASSERT_TRUE(vbus_read_channel(base, link.size, 0, &copy));
    EXPECT_EQ(std::memcmp(&copy, &link.channel, sizeof copy), 0);
    EXPECT_FALSE(vbus_read_channel(base, link.size, 1, &copy)) << "an empty entry";
    EXPECT_FALSE(vbus_read_channel(base, link.size, VBUS_MAX_CHANNELS, &copy));
    EXPECT_FALSE(vbus_read_channel(base, link.size, 0xffffffff, &copy));

    const auto refused = [&](auto change) {
        vbus_channel bad = link.channel;
        change(bad);
        vbus_add_channel(base, 0, &bad);
        return !vbus_read_channel(base, link.size, 0, &copy);
    };
    EXPECT_TRUE(refused([](auto &c) { c.name[0] = 0; }));
    EXPECT_TRUE(refused([](auto &c) { c.name[1] = '/'; }));
    EXPECT_TRUE(refused([](auto &c) { std::memset(c.name, 'a', sizeof c.name); }));
    EXPECT_TRUE(refused([](auto &c) { c.control = 0; }));
    EXPECT_TRUE(refused([](auto &c) { c.control += 8; }));
    EXPECT_TRUE(refused([&](auto &c) { c.guest_control = link.size; }));
    EXPECT_TRUE(refused([](auto &c) { c.control = 0xffffffc0; }));
    EXPECT_TRUE(refused([](auto &c) { c.to_rt.offset = 0; }));
    EXPECT_TRUE(refused([](auto &c) { c.to_rt.offset += 4; }));
    EXPECT_TRUE(refused([](auto &c) { c.to_rt.offset += 8; }));
    EXPECT_TRUE(refused([](auto &c) { c.to_rt.offset = 0xfffffff8; }));
    EXPECT_TRUE(refused([](auto &c) { c.to_rt.size *= 2; }));
    EXPECT_TRUE(refused([](auto &c) { c.to_guest.size = 3000; }));
    EXPECT_TRUE(refused([](auto &c) { c.to_guest.size = 32; }));
    EXPECT_TRUE(refused([](auto &c) { c.to_guest.size = 0x80000000; }));
    EXPECT_FALSE(refused([](auto &) {}));
}

} // namespace
