# SPDX-License-Identifier: Apache-2.0
"""Runs clients beside one another on one result of the local warehouse and says how they compare."""
