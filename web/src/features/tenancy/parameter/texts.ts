import { defineTexts } from '#web/kernel/i18n/index.ts'

export const parameterTexts = defineTexts(
  {
    'platform.title': '平台参数',
    'platform.empty': '没有参数',
    'platform.lead': '此值适用于所有未自行设置的租户，保存后立即生效。',
    'platform.key': '参数键名',
    'platform.name': '参数名称',
    'platform.value': '平台值',
    'platform.own': '自行设置的租户',
    'platform.only': '仅平台可设',
    'platform.time': '更新时间',
    'platform.done': '已保存，{count} 个租户随之更新',
  },
  {
    'platform.title': 'Platform parameters',
    'platform.empty': 'There are no parameters',
    'platform.lead': 'Holds in every tenant without a value of its own, as soon as it is saved.',
    'platform.key': 'Key',
    'platform.name': 'Name',
    'platform.value': 'Platform’s value',
    'platform.own': 'Own values',
    'platform.only': 'platform only',
    'platform.time': 'Changed',
    'platform.done': 'Saved; followed by {count|tenant|tenants}',
  },
)
