# SPDX-License-Identifier: GPL-2.0-only
"""What tools/rtmux is made of: one module for each thing it does."""
