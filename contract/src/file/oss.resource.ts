import { dict, int, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'
import { sharedStorage } from './storage.routes.ts'

/** Kinds that are services with an address, a bucket and a key: all but the disk of the program. */
const services = { field: 'category', values: ['1', '2', '3', '4', '5', '6'] } as const

/** Where new files of a tenant are kept (S7.24): the encrypted disk of the program, or a bucket of an S3-compatible service. */
export const oss = defineResource({
  name: 'oss',
  ownRules: true,
  writes: 'own',
  scope: 'shared',
  because: sharedStorage,
  basePath: '/blade-resource/oss',
  menuPath: '/resource/oss',
  menu: {
    under: 'resource',
    label: { zh: '存储管理', en: 'Storage' },
    icon: 'unit',
    roles: ['administrator', 'admin'],
    buttons: [{ right: 'move', label: { zh: '迁移文件', en: 'Move files' } }],
  },
  label: { zh: '对象存储', en: 'Storage' },
  nulls: 'empty',
  order: 'id',
  actions: [
    {
      key: 'try',
      label: { zh: '测试上传', en: 'Try it' },
      call: 'POST /blade-resource/oss/try-upload',
      right: 'edit',
      row: { id: 'id' },
      done: { zh: '写入、读取、删除都正常', en: 'Written, read back and removed' },
    },
    {
      key: 'enable',
      label: { zh: '启用', en: 'Switch on' },
      call: 'POST /blade-resource/oss/enable',
      right: 'enable',
      row: { id: 'id' },
      when: { status: 1 },
      ask: {
        zh: '新文件将存入“{ossCode}”，其他存储停用。已有文件留在原处，照常可读；需要时可用“迁移文件”移过来。',
        en: 'New files go to “{ossCode}” and the others are switched off. Files that are there stay where they are and are read as before; “Move files” brings them over.',
      },
      done: { zh: '已启用', en: 'Switched on' },
    },
  ],
  fields: {
    category: dict('oss', { label: { zh: '存储类型', en: 'Kind' }, required: true, search: 'eq', width: 130 }),
    ossCode: text(30, {
      label: { zh: '资源编号', en: 'Code' },
      required: true,
      requiredMessage: { zh: '请输入资源编号', en: 'Please enter the code' },
      pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$',
      help: { zh: '字母、数字、“_”和“-”', en: 'Letters, digits, “_” and “-”' },
      search: 'like',
      unique: true,
      width: 140,
    }),
    endpoint: text(255, {
      requiredWith: services,
      label: { zh: '资源地址', en: 'Address' },
      help: {
        zh: '例如 https://s3.example.com；只能使用运维人员允许的地址。存储桶在域名中的服务填带桶名的域名。本地存储不填',
        en: 'As https://s3.example.com; only addresses that the operator allows. With the bucket in its host where the service wants that. Empty for the local server',
      },
    }),
    transformEndpoint: text(255, {
      label: { zh: '外网地址', en: 'Public address' },
      list: false,
      help: {
        zh: '仅作记录：文件已加密，一律经本系统下载，不直接从存储服务下载',
        en: 'For the record only: files are encrypted and always downloaded through this system, never from the service itself',
      },
    }),
    bucketName: text(63, {
      requiredWith: services,
      label: { zh: '空间名', en: 'Bucket' },
      pattern: '^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])?$',
      help: {
        zh: '3–63 个小写字母、数字、“.”和“-”，首尾为字母或数字',
        en: '3 to 63 lower-case letters, digits, “.” and “-”, a letter or digit at both ends',
      },
      width: 150,
    }),
    accessKey: text(128, { requiredWith: services, label: { zh: 'AccessKey', en: 'Access key' }, search: 'like', list: false }),
    secretKey: text(200, {
      label: { zh: 'SecretKey', en: 'Secret key' },
      secret: true,
      list: false,
      help: { zh: '只进不出；编辑时留空表示不改', en: 'Never shown again; left empty in a change it stays as it is' },
    }),
    region: text(60, {
      label: { zh: '地域', en: 'Region' },
      list: false,
      pattern: '^[A-Za-z0-9-]*$',
      help: { zh: '字母、数字和“-”，由服务商给出；不填按 us-east-1', en: 'The region that the service names; us-east-1 when empty' },
    }),
    appId: text(30, {
      label: { zh: '应用 ID', en: 'App ID' },
      list: false,
      pattern: '^[0-9]*$',
      help: { zh: '仅腾讯云：空间名不含 AppID 时填写，数字', en: 'Tencent Cloud only, digits: where the name of the bucket lacks it' },
    }),
    remark: text(255, { label: { zh: '备注', en: 'Remark' }, widget: 'textarea', list: false }),
    status: int({
      label: { zh: '状态', en: 'State' },
      form: false,
      words: { 1: { zh: '停用', en: 'off' }, 2: { zh: '启用', en: 'on' } },
      tones: { 1: 'closed', 2: 'active' },
      width: 90,
    }),
  },
  derived: {
    categoryName: text(60, { label: { zh: '存储类型名称', en: 'Name of the kind' } }),
    statusName: text(20, { label: { zh: '状态名称', en: 'Name of the state' } }),
  },
})
