import { flag, int, text } from '../kernel/field.ts'
import { defineResource, type RowOf } from '../kernel/resource.ts'

/** The web of this program: public by nature, it proves nothing and cannot be taken away (decision 1.4). */
export const webClientId = 'kaopu-web'

export const grantTypes = ['password', 'captcha', 'sms_code', 'social', 'authorization_code', 'refresh_token', 'register'] as const
const anyGrant = grantTypes.join('|')

const kept = { zh: '供框架客户端读取，本系统不据此判断', en: 'Read by clients of the framework; nothing here goes by it' } as const
/** What a client row of the framework has besides. Redirects go to this program's own pages only, and of these to the ones that are named. */
const keptFields = {
  scope: text(40, {
    label: { zh: '授权范围', en: 'Scope' },
    default: 'all',
    pattern: '^all$',
    list: false,
    help: { zh: '只有 all', en: 'all, there is no other' },
  }),
  webServerRedirectUri: text(500, {
    label: { zh: '回调地址', en: 'Redirect address' },
    pattern: '^(https?://[^\\s,]{1,200}(,https?://[^\\s,]{1,200})*)?$',
    list: false,
    help: {
      zh: '第三方登录只能回到这些地址（如 https://zhaopin.example.cn/oauth/redirect/gitee），多个用逗号分隔；留空不限',
      en: 'Log-ins by a provider come back to these only, as https://jobs.example.cn/oauth/redirect/gitee; divided by commas, empty: to any of this program',
    },
  }),
  autoapprove: text(5, {
    label: { zh: '自动授权', en: 'Approved by itself' },
    default: 'true',
    pattern: '^(true|false)$',
    list: false,
    help: kept,
  }),
  resourceIds: text(255, { label: { zh: '资源集合', en: 'Resource ids' }, list: false, help: kept }),
  authorities: text(255, { label: { zh: '权限', en: 'Authorities' }, list: false, help: kept }),
  additionalInformation: text(2000, {
    label: { zh: '附加说明', en: 'Additional information' },
    list: false,
    widget: 'textarea',
    help: kept,
  }),
} as const

/** Programs that may ask for tokens (framework-contract 3.12). A secret is made by the server and shown once. */
export const client = defineResource({
  name: 'client',
  ownRules: true,
  table: 'oauth_client',
  basePath: '/blade-system/client',
  menuPath: '/system/client',
  label: { zh: '客户端', en: 'Client' },
  nulls: 'empty',
  scope: 'platform',
  because: 'a client opens every tenant',
  groups: [
    {
      key: 'main',
      label: { zh: '基本信息', en: 'Main' },
      fields: [
        'clientId',
        'clientName',
        'authorizedGrantTypes',
        'accessTokenValidity',
        'refreshTokenValidity',
        'isOpen',
        'ignoresUnknownConditions',
        'remark',
      ],
    },
    { key: 'kept', label: { zh: '框架字段', en: 'Of the framework' }, fields: Object.keys(keptFields) as (keyof typeof keptFields)[] },
  ],
  fields: {
    clientId: text(40, {
      label: { zh: '客户端编号', en: 'Client id' },
      required: true,
      immutable: true,
      unique: true,
      search: 'like',
      pattern: '^[A-Za-z][A-Za-z0-9_-]{2,39}$',
      help: { zh: '3 至 40 位，字母开头，可含数字、“_”和“-”', en: '3 to 40 characters: a letter, then letters, digits, “_” and “-”' },
    }),
    clientName: text(60, { label: { zh: '客户端名称', en: 'Name' }, required: true, search: 'like' }),
    authorizedGrantTypes: text(200, {
      label: { zh: '授权类型', en: 'Grants' },
      required: true,
      requiredMessage: { zh: '请选择授权类型', en: 'Please select the grants' },
      pattern: `^(${anyGrant})(,(${anyGrant}))*$`,
    }),
    accessTokenValidity: int({
      label: { zh: '令牌有效秒数', en: 'Token lives (s)' },
      required: true,
      min: 60,
      max: 3_600,
      default: 3_600,
      help: { zh: '60 至 3600', en: '60 to 3600' },
    }),
    refreshTokenValidity: int({
      label: { zh: '刷新令牌有效秒数', en: 'Refresh token lives (s)' },
      required: true,
      min: 60,
      max: 604_800,
      default: 604_800,
      help: { zh: '60 至 604800；工作人员最长 12 小时', en: '60 to 604800; members of staff have 12 hours at most' },
    }),
    isOpen: flag({ label: { zh: '启用', en: 'In use' }, required: true, default: 1 }),
    ignoresUnknownConditions: flag({
      label: { zh: '忽略未知查询条件', en: 'Unknown conditions ignored' },
      default: 1,
      help: {
        zh: '列表不认识的查询条件：是——忽略并在 msg 中提示；否——拒绝并指出名称。本系统网页端一律拒绝',
        en: 'Conditions that a list does not know: yes leaves them out and says so in msg, no refuses them by name, as for the web of this program',
      },
    }),
    secretState: int({ label: { zh: '密钥', en: 'Secret' }, form: false }),
    remark: text(255, { label: { zh: '备注', en: 'Remark' }, list: false, widget: 'textarea' }),
    ...keptFields,
  },
  // Clients of the framework type the secret themselves; this program's own pages have one made (`renew-secret`).
  takes: {
    clientSecret: text(200, {
      label: { zh: '客户端密钥', en: 'Secret' },
      pattern: '^$|^[\\x21-\\x7e]{16,200}$',
      help: { zh: '至少 16 位字母、数字和符号，不含空格', en: 'at least 16 letters, digits and signs, no spaces' },
    }),
  },
})
export type Client = RowOf<typeof client>
