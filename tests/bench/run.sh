#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The whole-process benchmarks against peers on this machine. usage: run.sh BUILD_DIR [pairs]
exec python3 "$(dirname "${BASH_SOURCE[0]}")/wholeprocess.py" "$1" "${2:-5}"
