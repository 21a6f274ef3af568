# SPDX-License-Identifier: Apache-2.0
"""Stand-in build backend: lets `pip download` fetch an sdist without configuring the project.

pip asks the backend for name and version before it keeps a source archive. The real backend would
run meson for minutes to answer; the archive's own PKG-INFO holds the same answer.
"""

import email
import pathlib
import shutil


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    fields = email.message_from_string(pathlib.Path("PKG-INFO").read_text(encoding="utf-8"))
    name = fields["Name"].replace("-", "_")
    folder = pathlib.Path(metadata_directory) / f"{name}-{fields['Version']}.dist-info"
    folder.mkdir()
    shutil.copyfile("PKG-INFO", folder / "METADATA")
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    raise RuntimeError("this backend only answers for `pip download`")
