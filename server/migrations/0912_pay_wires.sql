-- How an order is paid: by a code on another screen, inside WeChat, or from another browser; and what the two new ways need of the account.
-- lock: short (columns with constant defaults); compatible: yes

alter table pay_order add column way varchar(10) not null default 'native' check (way in ('native', 'jsapi', 'h5', 'precreate'));
alter table pay_order add column channel varchar(10) not null default 'wechat' check (channel in ('wechat', 'alipay'));
-- of the public account, for learning who pays inside WeChat; without it that way is closed
alter table pay_account add column app_secret_sealed bytea;
-- the provider opens H5 payments for a merchant on request
alter table pay_account add column h5_enabled boolean not null default false;

-- verify: select 1 / (select count(*) from information_schema.columns where table_name = 'pay_order' and column_name = 'way')
