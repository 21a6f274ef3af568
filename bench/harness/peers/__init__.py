# SPDX-License-Identifier: Apache-2.0
"""Every client that takes part, by name."""

from . import bare, connector, others, ours
from .peer import Command, Peer, Task

ALL = {peer.name: peer for module in (ours, bare, connector, others) for peer in module.PEERS}

__all__ = ["ALL", "Command", "Peer", "Task"]
