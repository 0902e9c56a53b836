import { flag, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'
import { batchScene, scenes } from './scenes.ts'

/**
 * Words of messages: of messages to many, and a tenant's own for an event of the product, which otherwise has the product's. A text message needs the
 * number under which the provider has approved the same text.
 */
export const sendTemplate = defineResource({
  name: 'sendtemplate',
  table: 'send_template',
  basePath: '/blade-sendTemplate/sendtemplate',
  ownRules: true,
  label: { zh: '短信模板', en: 'Message template' },
  menuPath: '/send/template',
  menu: {
    under: 'sending',
    label: { zh: '消息模板', en: 'Message templates' },
    icon: 'list',
    roles: ['admin'],
    readers: ['exam_admin', 'finance', 'auditor'],
  },
  lead: {
    zh: '变量写作 ${name}。短信正文须与服务商处审核通过的模板一致；没有模板编号的只能用于站内消息。',
    en: 'Variables are written ${name}. The text of an SMS is the one the provider has approved; a template without a number is for in-app messages only.',
  },
  order: '-id',
  choice: ['name', 'content'],
  fields: {
    code: text(60, { label: { zh: '模板代码', en: 'Code' }, required: true, unique: true, search: 'like', pattern: '^[A-Za-z0-9_-]+$' }),
    name: text(60, { label: { zh: '模板名称', en: 'Name' }, required: true, search: 'like', fact: 'none' }),
    scene: text(60, {
      label: { zh: '用途', en: 'Used for' },
      required: true,
      search: 'eq',
      default: batchScene,
      widget: 'select',
      words: {
        [batchScene]: { zh: '批量发送', en: 'Sending to many' },
        ...Object.fromEntries(scenes.map(({ key, label }) => [key, label])),
      },
    }),
    title: text(60, {
      label: { zh: '站内标题', en: 'In-app title' },
      list: false,
      help: {
        zh: '批量发送时不填用模板名称；其他用途填写后站内消息也用本模板，不填则站内消息用系统文字',
        en: 'Sending to many: the name when empty. Of an event: with a title the in-app message has the words of this template, without one those of the product',
      },
    }),
    content: text(500, {
      label: { zh: '正文', en: 'Text' },
      required: true,
      widget: 'textarea',
      search: 'like',
      width: 320,
      help: { zh: '如：${name}您好，${exam}缴费将于${deadline}截止。', en: 'As: ${name}, payments of ${exam} end at ${deadline}.' },
    }),
    titleEn: text(120, { label: { zh: '站内标题（英文）', en: 'In-app title (English)' }, list: false }),
    contentEn: text(800, {
      label: { zh: '站内正文（英文）', en: 'In-app text (English)' },
      widget: 'textarea',
      list: false,
      help: { zh: '用英文界面的考生看到的站内消息；不填显示中文', en: 'What candidates see who read English; the Chinese text when empty' },
    }),
    vars: text(300, { label: { zh: '变量', en: 'Variables' }, form: false }),
    templateId: text(40, {
      label: { zh: '服务商模板编号', en: 'Number at the provider' },
      search: 'eq',
      pattern: '^[A-Za-z0-9_]*$',
      help: {
        zh: '审核通过后得到，如 SMS_123456789；没有编号不能发短信',
        en: 'Given once it is approved, as SMS_123456789; without one no text message is sent',
      },
    }),
    signName: text(30, {
      label: { zh: '签名', en: 'Signature' },
      list: false,
      help: { zh: '不填用短信服务的签名', en: 'That of the service when empty' },
    }),
    status: flag({
      label: { zh: '启用', en: 'In use' },
      default: 1,
      search: 'eq',
      words: { 1: { zh: '启用', en: 'in use' }, 0: { zh: '停用', en: 'not used' } },
      tones: { 1: 'passed', 0: 'closed' },
    }),
  },
})
