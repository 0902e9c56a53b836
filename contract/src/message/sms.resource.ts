import { dict, int, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'

/** How a provider numbers its templates, by the kind of the service. */
export const templateNumbers: Readonly<Record<string, { readonly form: RegExp; readonly sample: string }>> = {
  3: { form: /^SMS_\d+$/, sample: 'SMS_123456789' },
  4: { form: /^\d+$/, sample: '1234567' },
}

/** A signature without the brackets, which every text has anyway. */
export const bareSign = (typed: string): string => typed.replace(/[【】]/g, '').trim()

/** Whether a service is the one that sends: 1 off, 2 on. */
export const serviceOn = 2

/** Why the services of the platform are its administrators' alone. */
export const sharedSms = 'tenants without a service of their own send by the platform’s'

/**
 * Whoever sends the text messages of a tenant (S7.24, framework-contract 3.20). Where the provider is follows from its kind and is never typed; of several
 * one is on.
 */
export const smsService = defineResource({
  name: 'sms',
  table: 'sms_provider',
  basePath: '/blade-resource/sms',
  ownRules: true,
  writes: 'own',
  scope: 'shared',
  because: sharedSms,
  label: { zh: '短信服务', en: 'Text message service' },
  menuPath: '/resource/sms',
  menu: {
    under: 'sending',
    label: { zh: '短信服务', en: 'Text message services' },
    icon: 'key',
    roles: ['administrator', 'admin'],
    buttons: [
      { right: 'enable', label: { zh: '启用', en: 'Switch on' } },
      { right: 'send', label: { zh: '试发', en: 'Send a test' } },
    ],
  },
  lead: {
    zh: '同一时间只有一个服务发送短信；启用前可先试发；都未启用时由平台的短信服务发送，平台也没有时只记录、不发送。模板须先在服务商处报备。',
    en: 'One service sends at a time and can be tried before it is switched on; while none is on, the platform’s service sends; without one there either, text messages are recorded and not sent. Templates are registered with the provider first.',
  },
  nulls: 'empty',
  order: 'id',
  keeps: {
    field: 'status',
    values: [String(serviceOn)],
    why: {
      zh: '该服务正在使用，请先启用另一个或停用它',
      en: 'This service is on: switch another one on, or this one off, first',
    },
  },
  actions: [
    {
      key: 'enable',
      label: { zh: '启用', en: 'Switch on' },
      call: 'POST /blade-resource/sms/enable',
      right: 'enable',
      row: { id: 'id' },
      when: { status: 1 },
      ask: {
        zh: '短信将由“{smsCode}”发送，其他服务随之停用。',
        en: 'Text messages will be sent by “{smsCode}”; the others are switched off.',
      },
      done: { zh: '{msg}', en: '{msg}' },
    },
    {
      key: 'disable',
      label: { zh: '停用', en: 'Switch off' },
      call: 'POST /blade-resource/sms/enable',
      right: 'enable',
      row: { id: 'id' },
      body: { off: 1 },
      when: { status: serviceOn },
      danger: true,
      ask: { zh: '停用后短信只记录、不发送。', en: 'Text messages are then recorded and not sent.' },
      done: { zh: '已停用', en: 'It is off' },
    },
    {
      key: 'send-message',
      label: { zh: '试发', en: 'Test' },
      call: 'POST /blade-resource/sms/send-message',
      right: 'send',
      row: { code: 'smsCode' },
      reason: {
        field: 'phones',
        label: { zh: '接收手机号', en: 'Mobile number' },
        missing: { zh: '请输入手机号码', en: 'Please enter the mobile number' },
      },
      succeeds: 'success',
      done: { zh: '{msg}', en: '{msg}' },
    },
  ],
  fields: {
    category: dict('sms', {
      label: { zh: '短信类型', en: 'Provider' },
      required: true,
      search: 'eq',
      // Of the kinds that the dictionary knows, those that the program speaks with.
      words: { 3: { zh: '阿里云', en: 'Alibaba Cloud' }, 4: { zh: '腾讯云', en: 'Tencent Cloud' } },
      help: { zh: '支持阿里云和腾讯云', en: 'Alibaba Cloud and Tencent Cloud are supported' },
    }),
    smsCode: text(60, {
      label: { zh: '资源编号', en: 'Code' },
      required: true,
      unique: true,
      search: 'like',
      pattern: '^[A-Za-z0-9_-]+$',
    }),
    signName: text(30, {
      label: { zh: '短信签名', en: 'Signature' },
      required: true,
      help: { zh: '与服务商处报备的一致，不含【】', en: 'As registered with the provider, without 【】' },
    }),
    templateId: text(40, {
      label: { zh: '试发模板编号', en: 'Template of tests' },
      required: true,
      help: {
        zh: '服务商处审核通过的模板编号，如 SMS_123456789 或 1234567；试发时使用',
        en: 'Number of a template that the provider has approved, as SMS_123456789 or 1234567; tests use it',
      },
    }),
    accessKey: text(100, { label: { zh: '访问密钥 ID', en: 'Access key id' }, required: true, search: 'eq', list: false }),
    secretKey: text(200, {
      label: { zh: '访问密钥', en: 'Secret key' },
      required: true,
      secret: true,
      list: false,
      help: { zh: '只进不出；编辑时留空表示不改', en: 'Never shown again; left empty in a change it stays as it is' },
    }),
    regionId: text(30, {
      label: { zh: '地域', en: 'Region' },
      list: false,
      pattern: '^[a-z0-9-]*$',
      help: { zh: '阿里云默认 cn-hangzhou，腾讯云默认 ap-guangzhou', en: 'Default: cn-hangzhou at Aliyun, ap-guangzhou at Tencent' },
    }),
    appId: text(30, {
      label: { zh: '应用 ID', en: 'Application id' },
      list: false,
      pattern: '^[0-9]*$',
      help: { zh: '腾讯云 SdkAppId，必填；阿里云留空', en: 'SdkAppId, required at Tencent; empty at Aliyun' },
    }),
    status: int({
      label: { zh: '状态', en: 'State' },
      form: false,
      search: 'eq',
      words: { 1: { zh: '停用', en: 'off' }, 2: { zh: '启用', en: 'on' } },
      tones: { 1: 'closed', 2: 'passed' },
      width: 90,
    }),
    problem: text(300, { label: { zh: '最近问题', en: 'Last problem' }, form: false }),
    remark: text(255, { label: { zh: '备注', en: 'Remark' }, widget: 'textarea', list: false }),
  },
})
