/* SPDX-License-Identifier: BSD-3-Clause */
/* There are no loadable modules, so there is nothing to export. */
#ifndef RTM_H__
#define RTM_H__

#include <rtthread.h>

#define RTM_EXPORT(symbol)

#endif
