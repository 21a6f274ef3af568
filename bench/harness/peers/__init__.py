# SPDX-License-Identifier: Apache-2.0
"""Every client that takes part, by name."""

from . import bare, connector, ours
from .peer import Command, Peer, Task

ALL = {peer.name: peer for module in (ours, bare, connector) for peer in module.PEERS}

__all__ = ["ALL", "Command", "Peer", "Task"]
