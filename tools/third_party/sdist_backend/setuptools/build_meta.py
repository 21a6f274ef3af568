# SPDX-License-Identifier: Apache-2.0
"""The setuptools entry of the stand-in build backend; see ../mesonpy.py."""

from mesonpy import build_wheel, get_requires_for_build_wheel, prepare_metadata_for_build_wheel

__all__ = ["build_wheel", "get_requires_for_build_wheel", "prepare_metadata_for_build_wheel"]
