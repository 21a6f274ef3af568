# SPDX-License-Identifier: Apache-2.0
"""Shadows the real setuptools while an sdist is downloaded; see ../mesonpy.py."""
