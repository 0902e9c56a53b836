import { defineTexts } from '#web/kernel/i18n/index.ts'

export const objectTexts = defineTexts(
  {
    'object.title': '账号变更',
    'object.what.appeal': '有人提出申诉，要求变更您账号的手机号或取得您的账号、证件号。',
    'object.what.change': '有人申请变更您账号已核实的姓名、证件号或手机号。',
    'object.what.account': '有人提交了您账号姓名或手机号的变更。',
    'object.what.password': '有人申请重置您账号的密码。',
    'object.what.factor': '有人申请停用您账号的两步验证。',
    'object.lead': '如果不是您本人申请的，请点“不是我申请的”，变更立即停止。是您本人申请的，无需操作，等待期过后生效。',
    'object.do': '不是我申请的',
    'object.mine': '是我申请的',
    'object.done': '变更已停止，您的账号没有改变。',
    'object.receipt': '办理编号 {no}，收到时间 {time}。到现场办理时请告知编号，建议截图保存。',
    'object.next': '已给办理的工作人员发送站内消息。建议您尽快登录并更换密码。',
    'object.closed': '这项变更已经生效、停止或被撤回，无需操作。',
    'object.unknown': '链接不完整或已失效，请重新打开短信中的链接。',
  },
  {
    'object.title': 'Change of an account',
    'object.what.appeal': 'Somebody appeals: they ask for another mobile number of your account, for your account, or for your id number.',
    'object.what.change': 'Somebody asks for a change of the verified name, id number or mobile number of your account.',
    'object.what.account': 'Somebody has entered another name or mobile number for your account.',
    'object.what.password': 'Somebody asks for a reset of your password.',
    'object.what.factor': 'Somebody asks to take the second factor of your account away.',
    'object.lead':
      'If it was not you, choose “It was not me”: the change stops at once. If it was you, there is nothing to do; it takes effect after the waiting time.',
    'object.do': 'It was not me',
    'object.mine': 'It was me',
    'object.done': 'The change was stopped; your account is as it was.',
    'object.receipt': 'Reference number {no}, received {time}. Name the number when you come in person; keep a picture of this page.',
    'object.next': 'A message was sent to the staff. Log in soon and choose another password.',
    'object.closed': 'This change has taken effect, was stopped, or was taken back: there is nothing to do.',
    'object.unknown': 'The link is not complete or no longer valid; open the one in the text message again.',
  },
)
