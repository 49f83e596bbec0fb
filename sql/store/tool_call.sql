-- Calls of tools.

-- name: add_call
insert into main.tool_call (session, tool, input, ok, told, called_at)
values (:session, :tool, :input, :ok, :told, :now);

-- name: call
select *
from tool_call
where id = :id;

-- name: calls
select *
from tool_call
where :session is null or session = :session
order by id desc
limit :limit;
