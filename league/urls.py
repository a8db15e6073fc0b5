from django.urls import path

from league import live
from league.documents import KINDS
from league.views import downloads, jobs, organise, pages, people, prints, public, rules, scorers, setup

TABLES = ("standings", "seating", "rounds", "hands", "adjustments", "players", "fairness", "log")

urlpatterns = [
    path("", pages.home, name="home"),
    path("join/<str:token>/", people.join, name="join"),
    path("s/<str:secret>/", scorers.scorer, name="scorer"),
    path("credits/", pages.credits_page, name="credits"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:edition>/", rules.rules_of, name="rules_of"),
    path("new/", setup.new, name="new"),
    path("new/evening/", setup.evening, name="new_evening"),
    # What anybody may look at.
    path("t/<slug:slug>/", organise.overview, name="tournament"),
    path("t/<slug:slug>/seating/", public.seating, name="seating"),
    path("t/<slug:slug>/standings/", public.standings, name="standings"),
    path("t/<slug:slug>/standings_as_published.csv", downloads.published_csv, name="published_csv"),
    path("t/<slug:slug>/bracket/", public.bracket, name="bracket"),
    path("t/<slug:slug>/hands/", public.hands, name="hands"),
    path("t/<slug:slug>/fairness/", public.fairness, name="fairness"),
    path("t/<slug:slug>/live/", live.live, name="live"),
    path("t/<slug:slug>/adjustments/", organise.adjustments, name="adjustments"),
    path("t/<slug:slug>/players/", setup.players, name="players"),
    path("t/<slug:slug>/players/<str:public_id>/", public.scorecard, name="scorecard"),
    path("t/<slug:slug>/players/<str:public_id>.csv", downloads.scorecard_csv, name="scorecard_csv"),
    *(
        path(f"t/<slug:slug>/{table}.csv", downloads.table_csv, {"table": table}, name=f"{table}_csv")
        for table in TABLES
    ),
    *(
        path(f"t/<slug:slug>/prints/{key.replace('_', '-')}.pdf", prints.print_pdf, {"key": key}, name=f"print_{key}")
        for key in KINDS
    ),
    # What organisers do.
    path("t/<slug:slug>/prints/", prints.prints, name="prints"),
    path("t/<slug:slug>/rounds/", organise.rounds, name="rounds"),
    path("t/<slug:slug>/advance/", organise.advance, name="advance"),
    path("t/<slug:slug>/set-time/", organise.set_time, name="set_time"),
    path("t/<slug:slug>/set-time/<int:deadline_id>/cancel/", organise.cancel_time, name="cancel_time"),
    path("t/<slug:slug>/jobs/", jobs.jobs, name="jobs"),
    path("t/<slug:slug>/jobs/<int:job_id>/retry/", jobs.retry, name="retry_job"),
    path("t/<slug:slug>/jobs/<int:job_id>/file/", jobs.download, name="job_file"),
    path("t/<slug:slug>/undo-draw/", organise.undo_draw, name="undo_draw"),
    path("t/<slug:slug>/reopen/", organise.reopen, name="reopen"),
    path("t/<slug:slug>/again/", organise.again, name="again"),
    path("t/<slug:slug>/log/", organise.log, name="log"),
    path("t/<slug:slug>/settings/", setup.settings, name="settings"),
    path("t/<slug:slug>/people/", people.people, name="people"),
    path("t/<slug:slug>/people/<int:role_id>/take-back/", people.take_back_role, name="take_back_role"),
    path("t/<slug:slug>/invitations/<int:invitation_id>/revoke/", people.revoke_invitation, name="revoke_invitation"),
    path("t/<slug:slug>/scoring/", scorers.scoring, name="scoring"),
    path("t/<slug:slug>/scorers/", scorers.scorers, name="scorers"),
    path("t/<slug:slug>/scorers/<int:link_id>/revoke/", scorers.revoke_scorer_link, name="revoke_scorer_link"),
    path("t/<slug:slug>/order/", setup.order, name="order"),
    path("t/<slug:slug>/players/<str:public_id>/edit/", setup.edit_player, name="edit_player"),
    path("t/<slug:slug>/players/<str:public_id>/erase/", setup.erase_player, name="erase_player"),
    path("t/<slug:slug>/players/<str:public_id>/remove/", setup.remove_player, name="remove_player"),
    path("t/<slug:slug>/players/<str:public_id>/move/", setup.move_player, name="move_player"),
    path("t/<slug:slug>/adjustments/<int:adjustment_id>/void/", organise.void_adjustment, name="void_adjustment"),
]
