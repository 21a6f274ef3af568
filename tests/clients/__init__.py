# SPDX-License-Identifier: Apache-2.0
"""Other people's clients at work on the local warehouse; `make clients` runs them."""
