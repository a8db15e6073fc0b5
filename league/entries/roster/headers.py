"""Recognise the headings of a table of people, in ten languages. Pure."""

import re
from collections.abc import Sequence

from league.lib.names import fold

NAME, FIRST, LAST, CLUB, EMAIL, BIRTHDAY, TEAM, SEED, IGNORE = (
    *("name", "first", "last", "club", "email", "birthday", "team", "seed", "ignore"),
)
USES = (NAME, FIRST, LAST, CLUB, EMAIL, BIRTHDAY, TEAM, SEED, IGNORE)
REPEATABLE = {NAME, IGNORE}  # several name columns are members of one team
NAMING = {NAME, FIRST, LAST}

# Folded: without case and accents. English, French, Spanish, German, Italian, Portuguese, Dutch, Polish, Swedish and
# Czech; Danish, Norwegian and Finnish where they came up.
_PHRASES = {
    NAME: """
        name, names, full name, player, players, player name, participant, participants, participant name, person,
        people, attendee, guest, guests, member, members, captain, partner, substitute,
        nom complet, nom et prenom, prenom et nom, nom prenom, prenom nom, joueur, joueuse, joueurs, joueur/joueuse,
        joueur(se), inscrits, capitaine, partenaire, remplacant, nom,
        nombre, nombre completo, nombre y apellidos, nombre y apellido, jugador, jugadora, jugadores, participante,
        participantes, jugador/a, capitan, pareja, suplente,
        vollstandiger name, vor- und nachname, vor und nachname, vorname nachname, spieler, spielerin, spieler/in,
        spielerinnen, teilnehmer, teilnehmerin, teilnehmer/in, teilnehmende, mitglied, mitglieder, kapitan, ersatz,
        nome, nome completo, nome e cognome, cognome e nome, giocatore, giocatrice, giocatori, partecipante,
        partecipanti, nominativo, jogador, jogadora, jogadores, nome e apelido, nome e sobrenome,
        naam, volledige naam, speler, spelers, deelnemer, deelnemers, lid, leden,
        imie i nazwisko, nazwisko i imie, gracz, gracze, zawodnik, uczestnik, uczestnicy,
        namn, fullstandigt namn, for- och efternamn, spelare, deltagare, medlem,
        jmeno a prijmeni, prijmeni a jmeno, jmeno, hrac, hraci, hracka, ucastnik, ucastnici,
        navn, spiller, spillere, deltager, deltaker, nimi, pelaaja
    """,
    FIRST: """
        first name, firstname, first, given name, given names, forename, prenom, prenoms, nombre de pila, vorname,
        vornamen, rufname, primo nome, nome proprio, primeiro nome, voornaam, roepnaam, imie, fornamn, tilltalsnamn,
        krestni jmeno, fornavn, etunimi
    """,
    LAST: """
        last name, lastname, last, surname, family name, nom de famille, apellido, apellidos, primer apellido, nachname,
        familienname, zuname, cognome, sobrenome, apelido, apelidos, ultimo nome, achternaam, familienaam, nazwisko,
        efternamn, prijmeni, efternavn, etternavn, sukunimi
    """,
    CLUB: """
        club, clubs, club name, association, society, school, verein, vereine, klub, sportverein, schule, club/verein,
        asociacion, sociedad, peña, escuela, ecole, circolo, societa, associazione, scuola, clube, associacao, escola,
        vereniging, clubnaam, school, szkola, stowarzyszenie, forening, skola, oddil, spolek, seura, klubb
    """,
    EMAIL: """
        email, e-mail, mail, e mail, email address, e-mail address, mail address, emails, courriel, adresse e-mail,
        adresse email, adresse mail, adresse electronique, correo, correo electronico, direccion de correo,
        e-mail-adresse, emailadresse, mailadresse, e-mailadresse, posta elettronica, indirizzo email, indirizzo e-mail,
        endereco de email, endereco de e-mail, e-mailadres, emailadres, adres e-mail, adres email, e-postadress, epost,
        e-post, emailova adresa, e-mailova adresa, sahkoposti
    """,
    BIRTHDAY: """
        birthday, birth date, birthdate, date of birth, dob, born, born on, date de naissance, naissance, anniversaire,
        ne le, ne(e) le, fecha de nacimiento, nacimiento, cumpleanos, geburtstag, geburtsdatum, geb., geboren,
        geboren am, data di nascita, compleanno, nascita, nato il, data de nascimento, aniversario, nascimento,
        geboortedatum, verjaardag, data urodzenia, urodziny, fodelsedag, fodelsedatum, datum narozeni, narozeniny,
        fodselsdag, fodselsdato, syntymapaiva
    """,
    TEAM: """
        team, team name, teams, name of the team, equipe, nom de l'equipe, nom d'equipe, equipo, nombre del equipo,
        mannschaft, mannschaftsname, teamname, squadra, nome squadra, equipa, nome da equipa, ploeg, teamnaam,
        druzyna, zespol, lag, lagnamn, tym, nazev tymu, druzstvo, hold, joukkue, pair
    """,
    SEED: """
        seed, seeds, seeding, seed no, seed no., seed number, tete de serie, cabeza de serie, setzplatz, setznummer,
        testa di serie, cabeca de serie, rozstawienie, seedning, nasazeni
    """,
    IGNORE: """
        no, no., nr, nr., #, n, num, number, numero, nummer, lp, lp., id, rank, place, rang, platz, position, pos,
        points, punkte, total, score, timestamp, date, datum, fecha, data, horodateur, zeitstempel, marca temporal,
        informazioni cronologiche, tijdstempel, time, phone, telephone, tel, tel., telefon, telefono, telefone, mobile,
        mobil, handy, portable, address, adresse, direccion, anschrift, indirizzo, city, town, ville, ciudad, stadt,
        ort, wohnort, citta, cidade, plaats, stad, miasto, mesto, country, pays, pais, land, age, alter, edad, eta,
        gender, geschlecht, sexe, sexo, status, checked in, checked_in, paid, bezahlt, paye, pagado, pagato, comment,
        comments, remark, remarks, note, notes, bemerkung, bemerkungen, kommentar, remarque, remarques, commentaire,
        observaciones, rating, elo
    """,
}
_EXACT = {
    fold(phrase): use for use, phrases in _PHRASES.items() for phrase in re.split(r",\s+", " ".join(phrases.split()))
}
# Words that decide longer headings, such as “What is your name?”; the earlier group wins.
_IN_A_SENTENCE = (
    (EMAIL, {"email", "e-mail", "mail", "courriel", "correo", "emails"}),
    (BIRTHDAY, {"birthday", "birth", "birthdate", "naissance", "nacimiento", "geburtstag", "geburtsdatum", "nascita"}),
    (TEAM, {"team", "equipe", "equipo", "mannschaft", "squadra", "ploeg", "druzyna"}),
    (CLUB, {"club", "verein", "klub", "clube", "vereniging"}),
    (FIRST, {"prenom", "vorname", "firstname", "voornaam", "imie", "fornamn"}),
    (
        LAST,
        {"surname", "nachname", "lastname", "apellido", "apellidos", "cognome", "achternaam", "nazwisko", "prijmeni"},
    ),
    (NAME, {"name", "nom", "nombre", "nome", "naam", "namn", "jmeno", "player", "spieler", "joueur", "jugador"}),
)
_NUMBERED = re.compile(r"(?P<word>.*?\S)\s*(?:no\.?|nr\.?|n°)?\s*[#(]?[1-9][0-9]?\)?$")


def use_of(heading: str) -> tuple[str, bool]:
    """Return the use of a column with this heading, and whether the heading is exact.

    Return ("", False) for an unknown heading. “Player 2” is a name, because team tables have a column for each player.
    """
    folded = fold(heading).rstrip(":*").strip()
    if folded in _EXACT:
        return _EXACT[folded], True
    numbered = _NUMBERED.fullmatch(folded)
    if numbered and _EXACT.get(numbered["word"]) == NAME:
        return NAME, True
    words = set(re.findall(r"[\w'-]+", folded))
    for phrase in ("first name", "last name", "family name"):
        if phrase in folded:
            return _EXACT[phrase], False
    return next(((use, False) for use, deciding in _IN_A_SENTENCE if words & deciding), ("", False))


def uses_of(headings: Sequence[str]) -> list[str]:
    """Return the use of each column. Only names may repeat; unknown or repeated headings are ignored.

    “Nom” next to “Prénom” is the last name, “Nombre” next to “Apellidos” the first.
    """
    found = [use_of(heading)[0] or IGNORE for heading in headings]
    for at, use in enumerate(found):
        exact = [place for place, other in enumerate(found) if other == use and use_of(headings[place])[1]]
        if use not in REPEATABLE and at != (exact or [found.index(use)])[0]:
            found[at] = IGNORE
    if found.count(NAME) == 1 and (FIRST in found) != (LAST in found):
        found[found.index(NAME)] = LAST if FIRST in found else FIRST
    elif NAME in found:
        found = [IGNORE if use in (FIRST, LAST) else use for use in found]
    return found
