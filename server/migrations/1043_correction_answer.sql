-- Why the second person did not confirm a correction of a released result: whoever proposed it is told.
alter table result_correction add column decision_remark varchar(200);
