-- Candidates' score pages are answered from memory: every process hears of what changes them. Signs of a change are looked at row by row before
-- anything is told, so that releases, payments and reviews do not pay for it.
-- lock: short (triggers on result, score_root, score_total, exam_item, examination, type_code, signup); compatible: yes

create function scores_notify() returns trigger language plpgsql as
$$ begin perform pg_notify('kaopu_cache', 'scores:' || old.tenant_id || ' ' || old.exam_id); return null; end $$;
create function new_scores_notify() returns trigger language plpgsql as
$$ begin perform pg_notify('kaopu_cache', 'scores:' || new.tenant_id || ' ' || new.exam_id); return null; end $$;
create function exam_scores_notify() returns trigger language plpgsql as
$$ begin perform pg_notify('kaopu_cache', 'scores:' || old.tenant_id || ' ' || old.id); return null; end $$;
-- Before scores are out nobody's page changes with their sign-up.
create function signup_scores_notify() returns trigger language plpgsql as
$$ begin
  if exists (select 1 from exam_item i where i.exam_id = old.exam_id and i.score_state = 'released') then
    perform pg_notify('kaopu_cache', 'scores:' || old.tenant_id || ' ' || old.exam_id);
  end if;
  return null;
end $$;

-- A release, a correction, a withdrawal: each publishes a root.
create trigger scores_notify after insert on score_root for each row execute function new_scores_notify();
create trigger scores_notify after update on result for each row
  when (old.released and (old.score, old.result_state, old.is_deleted) is distinct from (new.score, new.result_state, new.is_deleted))
  execute function scores_notify();
create trigger scores_gone_notify after delete on result for each row when (old.released) execute function scores_notify();
create trigger scores_notify after update on score_total for each row
  when (old.released and (old.written_total, old.interview_total, old.total, old.bonus, old.rank_in_post, old.post_count, old.line, old.shortlist, old.show_rank,
    old.show_line, old.released) is distinct from (new.written_total, new.interview_total, new.total, new.bonus, new.rank_in_post, new.post_count, new.line,
    new.shortlist, new.show_rank, new.show_line, new.released))
  execute function scores_notify();
create trigger scores_notify after update on exam_item for each row
  when ((old.item_name, old.full_score, old.score_state, old.score_release_at, old.type_codes, old.sort, old.is_deleted) is distinct from
    (new.item_name, new.full_score, new.score_state, new.score_release_at, new.type_codes, new.sort, new.is_deleted))
  execute function scores_notify();
create trigger scores_notify after update on examination for each row
  when ((old.pass_score, old.score_scale) is distinct from (new.pass_score, new.score_scale)) execute function exam_scores_notify();
create trigger scores_notify after update on type_code for each row
  when ((old.code, old.item_codes, old.is_deleted) is distinct from (new.code, new.item_codes, new.is_deleted)) execute function scores_notify();
create trigger scores_notify after update on signup for each row
  when ((old.examine = 'passed' or new.examine = 'passed') and (old.code, old.examine, old.pay_state, old.reduction_state, old.is_deleted) is distinct from
    (new.code, new.examine, new.pay_state, new.reduction_state, new.is_deleted))
  execute function signup_scores_notify();

-- verify: select 1 / (select (count(*) = 7)::int from pg_trigger where tgname = 'scores_notify')
