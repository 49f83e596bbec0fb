-- A turn is told together with the facts that were read from it.

create index fact_source on fact (source)
where source > '';
