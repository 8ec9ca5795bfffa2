// SPDX-License-Identifier: BSD-3-Clause
// Names of semaphores and message queues.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include <rtos/list.hpp>

namespace rtos::posix {

// Something with a name that lives on until it is unlinked and closed by all who opened it.
struct Named : Link {
    char name[NAME_MAX + 1];
    unsigned references = 1;
    bool unlinked = false;
};

// A name is a slash and up to NAME_MAX - 1 other characters than that. 0, EINVAL or ENAMETOOLONG.
inline int check_name(const char *name) {
    if (!name || name[0] != '/' || !name[1] || strchr(name + 1, '/'))
        return EINVAL;
    return strlen(name) > NAME_MAX ? ENAMETOOLONG : 0;
}

// Thread context, with a SchedulerLock in all of it: a search may be long.
class Names {
  public:
    Named *find(const char *name) {
        for (Link *l = all_.next(); l != &all_; l = l->next())
            if (Named *const n = static_cast<Named *>(l); strcmp(n->name, name) == 0)
                return n;
        return nullptr;
    }
    // One more reference to what has the name, if flags, those of sem_open and mq_open, allow it: 0 in error,
    // or ENOENT, EEXIST.
    Named *open(const char *name, int flags, int &error) {
        Named *const found = find(name);
        if (!found)
            return error = ENOENT, nullptr;
        if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
            return error = EEXIST, nullptr;
        ++found->references;
        error = 0;
        return found;
    }
    void add(Named &n, const char *name) {
        strcpy(n.name, name);
        all_.insert_before(n);
    }
    // False: n is to be destroyed, nobody has it open any more.
    bool unlink(Named &n) {
        n.Link::unlink();
        n.unlinked = true;
        return n.references != 0;
    }
    // The same.
    bool close(Named &n) { return --n.references != 0 || !n.unlinked; }

  private:
    Link all_;
};

} // namespace rtos::posix
