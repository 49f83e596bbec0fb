"""What pays with a card is refused; what is said of cards is not."""

from __future__ import annotations

import pytest

from memctl.guard.rules import find_secret, mask_secrets

CARD = "5500 0000 0000 0004"  # checks by Luhn's formula; nobody has it


@pytest.mark.parametrize(
    "text",
    [
        "CVC: 598",
        "the cvv on the back is 773",
        "security code of my Visa is 561",
        "Kartenprüfnummer 338",
        f"card {CARD} exp 09/27",
        f"Visa {CARD}, 04/2028",
        f"card {CARD.replace(' ', '-')} cvv 338",
    ],
)
def test_a_code_or_a_dated_number_of_a_card_is_found(text: str) -> None:
    assert find_secret(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "CVV must be 3 digits",
        "the CVC field accepts 3 or 4 digits",
        "card ending in 4242 expires 09/27",
        "test card 4242 4242 4242 4242, 12/34",
        f"loyalty card {CARD}",
        "card 5500 0000 0000 0005 exp 09/27",
        "the CVC conference of 2024",
    ],
)
def test_what_is_said_of_cards_is_let_through(text: str) -> None:
    assert find_secret(text) is None


def test_the_number_is_masked() -> None:
    assert mask_secrets(f"card {CARD} exp 09/27") == "card [secret:payment-card] exp 09/27"
