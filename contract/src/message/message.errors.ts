import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Numbers of domain 13.2. */
export const messageErrors = defineErrors({
  'sms/daily-budget': {
    code: 2703,
    status: 429,
    zh: '本机构今日短信额度已用完，请明日再试或联系管理员',
    en: 'The text messages of this organisation are used up for today; try again tomorrow or call the administrator',
  },
  'sms/no-service': {
    code: 2704,
    status: 503,
    zh: '本系统尚未开通短信，验证码无法发出。请联系考试组织单位',
    en: 'Text messages are not set up here, so no code can be sent. Call the office that holds the examination',
  },
  'sms/category': {
    code: 2704,
    status: 400,
    zh: '暂不支持该短信类型，请选择阿里云或腾讯云',
    en: 'This kind of provider is not supported: choose Alibaba Cloud or Tencent Cloud',
  },
  'sms/app-id': {
    code: 2704,
    status: 400,
    zh: '腾讯云需要填写应用 ID（SdkAppId）',
    en: 'Tencent Cloud needs the application id (SdkAppId)',
  },
  'sms/template-number': {
    code: 2704,
    status: 400,
    zh: '“{number}”不是该服务商的模板编号，应如 {sample}',
    en: '“{number}” is no template number of this provider: it looks like {sample}',
  },
  'sms/link': {
    code: 2704,
    status: 422,
    zh: '“{link}”不是本平台的地址，不能发送',
    en: '“{link}” is not an address of this installation and cannot be sent',
  },
  'sms/phones': {
    code: 2704,
    status: 400,
    zh: '手机号“{phone}”有误：{why}',
    en: 'The number “{phone}” cannot be used: {why}',
  },
  'sms/params': {
    code: 2704,
    status: 400,
    zh: '模板参数应为 JSON 对象，且每个值为文字，如 {sample}',
    en: 'The parameters must be a JSON object of texts, as {sample}',
  },
  'sms/in-use': {
    code: 2704,
    status: 409,
    zh: '短信服务“{code}”正在使用，请先启用另一个或停用它',
    en: 'The service “{code}” is on: switch another one on, or this one off, first',
  },
  'template/variable-missing': {
    code: 2702,
    status: 400,
    zh: '模板缺少变量 {names}：该通知必须包含',
    en: 'The template lacks {names}, which this notice must have',
  },
  'template/variable-unknown': {
    code: 2702,
    status: 400,
    zh: '模板中的变量 {names} 不存在。可用的变量：{known}',
    en: 'There is no variable {names}. These are there: {known}',
  },
  'template/variable-written': {
    code: 2702,
    status: 400,
    zh: '变量写法有误：{found}。请写成 {example}',
    en: 'A variable is not written as it must be: {found}. Write it as {example}',
  },
  'template/too-long': {
    code: 2702,
    status: 400,
    zh: '变量按最长计，短信共 {characters} 字，超过服务商的上限 {most} 字，请缩短正文',
    en: 'With the longest values the text message has {characters} characters, more than the {most} that providers take: shorten it',
  },
  'template/variable-path': {
    code: 2702,
    status: 400,
    zh: '服务商不接受网址作变量，{name} 只能写在本平台的固定网址之后，如 {address}',
    en: 'Providers take no address as a variable: write {name} at the end of the fixed address of this installation, as {address}',
  },
  'told/reached': {
    code: 2201,
    status: 409,
    zh: '已告知本人，无需再登记通话',
    en: 'The person was told already: no call needs to be noted',
  },
  'told/waiting': {
    code: 2201,
    status: 409,
    zh: '短信正在发送，请等服务商答复后再登记通话',
    en: 'The text message is on its way: wait for what the provider says before you note a call',
  },
})
export const refuseMessage = refuserOf(messageErrors)
