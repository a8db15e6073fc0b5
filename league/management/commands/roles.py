"""`roles`: print docs/roles.md from the table of rights."""

from typing import Any

from league.access import rights as roles
from league.lib.command import SentenceCommand

PAGE = """\
# Roles

<!-- Printed by `python3 dev.py manage roles`; a test compares. The table is league/access/rights.py. -->

Who owns a tournament may do everything in it. The owner and organisers give others a role under *More*, *Helpers*: by a
mail that works once, or by a link that works until it is revoked or expires. A role is taken back on the same page; a
link that was made before does not give it to the same account again, and the links of an organiser end when somebody
takes the role from them. Who has several roles may do what any of them allows. When the owner closes their account, the
tournament passes to its first organiser.

{table}

A **scorer link** is for whoever sits at a table and has no account. The owner and organisers make one for a table, or
one for all, under *More, Codes*, and print its QR code, now or later; it holds until the day
after the tournament, or for up to 30 days. Opening it changes nothing: the button on its page exchanges it for a
cookie, and from then on that browser enters hands at the link's table, in rounds that are published, and takes back
what was entered with this very link until the table is confirmed. It opens no other page and nothing in the API; the
log names the link in the place of a person. An organiser ends it with one tap, and every browser that used it is out
with its next request; the links of an organiser end when somebody takes the role from them. Who also has an account
with the right to enter hands acts by that account.

A **player link** is a player's own: it opens their page, *My table*, lets them see a private tournament, and, where the
organiser lets players report, opens the table at which they sit in the round that is on. It is exchanged for a cookie
by a button too, and the log names the player. The owner and organisers show its QR code under *Link* on the page
Players, send it by mail, print it on the name cards, and end it. *Codes* has a message for each player to copy or to
mail. Anyone who is shown links is in the log, with a row for each player, or one that names all whose name cards were
printed; the same page within ten minutes is no other row.
Each player reads on *My table* who was shown their link, or sent it, and when.

**One seat.** A phone that is passed round is as many players as opened their links in it. But a browser acts at online
tables for one player alone, and shows nobody else's cards, where its account has a role in the tournament that allows
more than a player's, where it scores there by a link, and where it was shown a player's link, also after signing out.
That is the player for whom it acted first; before that the account's own, else the one whose link it opened first. In a
browser with such a role, or that was shown a link, no second player's link is opened. Who may do more and plays as well
does so by an account with the role Player, or by their own link.

A **screen link** is the address of the hall screen, and opens that page alone. The links of players, scorers and
screens are signed and not stored (league/access/signed_links.py): the same code can be printed again, and ending one
ends every copy.

## In a club

Who has a role in a club has the same role in each of its tournaments; its owner has an owner's rights in all of them.
In the club itself:

{clubs}

A **member** is whoever has claimed the record of one of the club's members with their account: by an invitation that
the club made for it, or, signed in, with the player's own link of one of its evenings; not who gets the links of others
there, by a role or because they were shown some. In the club's tournaments they are then that player. Roles are given
and taken back under *More*, *Helpers* of the club, as in a tournament. When the owner closes their account, the club
passes to its first organiser.

To erase a person takes the right to run every evening where their name stands, and, where they are a member of a club,
the right to correct its members.

## The owner of a server

An **owner of the server** has an owner's rights in each tournament and club, and the page *Server*: accounts, sign-up,
backups, checks and background jobs. It is the account of the [first start](operations.md#the-first-account), or one
that `wild-league users owner` names. An owner blocks accounts, but not their own and not the last owner's. A blocked
account has no role until it is unblocked; what it owns stays its own.

## Everybody else

What is not in the tables everybody may see who may look at the tournament or club at all: whoever has its address, or,
where it is private, whoever has a role or a player link. Nobody else is told that something private exists. Strangers
see members by first name and initial where they chose that, and open only the profiles that are public.

The address of a table, which is printed on its score slips, is for whoever enters its hands the form, and for everybody
else who may look at the tournament a page of the table: who sits there, its hands so far, how they get in. Of a round
that is a draft or was undone they find nothing. Whoever has a link to another table, or one that has ended, reads that
on top. A slip has the scorer link of its table only where the owner or an organiser ticked it for that print.
"""


class Command(SentenceCommand):
    uses_database = False
    help = "Prints docs/roles.md: who may do what."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(PAGE.format(table=roles.table(), clubs=roles.club_table()), ending="")
