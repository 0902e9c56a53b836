-- What the framework's client rows have besides (framework-contract 3.12); kept for programs that read it, nothing here goes by it.
-- lock: columns without a default or with a constant one, no rewrite; compatible: yes

alter table oauth_client
  add column scope varchar(40) default 'all',
  add column web_server_redirect_uri varchar(500),
  add column autoapprove varchar(5) default 'true',
  add column resource_ids varchar(255),
  add column authorities varchar(255),
  add column additional_information varchar(2000);

-- verify: select 1 / (select (count(*) = 6)::int from information_schema.columns where table_name = 'oauth_client' and column_name in ('scope', 'web_server_redirect_uri', 'autoapprove', 'resource_ids', 'authorities', 'additional_information'))
