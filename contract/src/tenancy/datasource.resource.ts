import { dict, int, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'

/**
 * A database that tools of the platform may read (S7.28). Driver and address follow from the typed fields and cannot be written; the
 * password goes in and never comes out.
 */
export const datasource = defineResource({
  name: 'datasource',
  ownRules: true,
  basePath: '/blade-develop/datasource',
  menuPath: '/tool/datasource',
  label: { zh: '数据源', en: 'Data source' },
  nulls: 'empty',
  scope: 'platform',
  because: 'a data source reaches outside the installation',
  choice: ['name'],
  fields: {
    name: text(60, { label: { zh: '数据源名称', en: 'Name' }, required: true, search: 'like', unique: true }),
    kind: dict('datasource_kind', { label: { zh: '数据库类型', en: 'Database' }, required: true, search: 'eq' }),
    host: text(120, {
      label: { zh: '主机', en: 'Host' },
      required: true,
      pattern: '^[A-Za-z0-9]([A-Za-z0-9.-]{0,118}[A-Za-z0-9])?$',
      help: {
        zh: '主机名或 IP 地址，不含协议和端口；运维人员把“主机:端口”加入服务器设置 KAOPU_DATA_SOURCES 后才能连接',
        en: 'A host name or IP address, without protocol and port. It is reached once the operator has added “host:port” to the setting KAOPU_DATA_SOURCES',
      },
      list: false,
    }),
    port: int({ label: { zh: '端口', en: 'Port' }, required: true, min: 1, max: 65_535, list: false }),
    databaseName: text(60, {
      label: { zh: '库名', en: 'Database name' },
      required: true,
      pattern: '^[A-Za-z0-9_]+$',
      help: { zh: '字母、数字和“_”', en: 'Letters, digits and “_”' },
      list: false,
    }),
    username: text(60, {
      label: { zh: '用户名', en: 'User' },
      required: true,
      pattern: '^[A-Za-z0-9_.$#@-]+$',
      help: { zh: '字母、数字和 _ . $ # @ -', en: 'Letters, digits and _ . $ # @ -' },
    }),
    password: text(1100, {
      label: { zh: '密码', en: 'Password' },
      secret: true,
      list: false,
      help: {
        zh: '只进不出；编辑时留空表示不改，更换类型、主机、端口或用户名时须重新输入',
        en: 'Never shown again; left empty in a change it stays, unless kind, host, port or user change',
      },
    }),
    driverClass: text(60, { label: { zh: '驱动类', en: 'Driver' }, form: false }),
    url: text(255, { label: { zh: '连接地址', en: 'Address' }, form: false }),
    passwordState: int({ label: { zh: '密码', en: 'Password' }, form: false }),
    remark: text(255, { label: { zh: '备注', en: 'Remark' }, list: false, widget: 'textarea' }),
  },
  // Clients of the framework write the four parts as one address.
  takes: {
    driverClass: text(60, { label: { zh: '驱动类', en: 'Driver' } }),
    url: text(500, { label: { zh: '连接地址', en: 'Address' } }),
  },
})
