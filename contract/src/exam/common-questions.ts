import type { Label } from '../kernel/label.ts'

/** What candidates ask again and again, with its answer: on the public pages and in the portal. */
export const commonQuestions: readonly { readonly key: string; readonly q: Label; readonly a: Label }[] = [
  {
    key: 'photo',
    q: { zh: '证件照有什么要求？', en: 'What must the photo look like?' },
    a: {
      zh: '近期正面免冠照，白色或蓝色背景，至少 295×413 像素，不超过 500 KB。上传时可直接裁剪，页面会当场提示尺寸、亮度和背景是否合适。',
      en: 'Recent, facing the camera, no hat, white or blue background, at least 295×413 pixels, at most 500 KB. You can crop it when you upload; size, brightness and background are checked at once.',
    },
  },
  {
    key: 'draft',
    q: { zh: '填到一半能离开吗？', en: 'Can I leave half-way?' },
    a: {
      zh: '可以。内容每 5 秒自动保存，离线时保存在本机，联网后自动上传。下次进入会接着填。证件号码、手机号码不会留在本机。',
      en: 'Yes. Everything is saved every 5 seconds; offline it is kept on the device and sent later. You continue where you stopped. Id card and phone numbers are never kept on the device.',
    },
  },
  {
    key: 'upload',
    q: { zh: '上传时断网怎么办？', en: 'What if the connection drops while I upload?' },
    a: {
      zh: '不用重来。网络恢复后会自动续传，同一个文件不会存两份。',
      en: 'Nothing to repeat. The upload goes on by itself, and no file is stored twice.',
    },
  },
  {
    key: 'name',
    q: { zh: '姓名有生僻字或间隔号怎么填？', en: 'My name has rare characters or a separator.' },
    a: {
      zh: '请用系统输入法或从电子身份证复制。间隔号请用“·”，输入成“•”“．”也会自动更正。',
      en: 'Use the system keyboard or copy it from your electronic id card. The separator is “·”; look-alikes are corrected.',
    },
  },
  {
    key: 'return',
    q: { zh: '报名被退回怎么办？', en: 'My sign-up was returned.' },
    a: {
      zh: '打开“我的报名”，按“改这几处”的意见修改，只有这几处可以改。改完到最后一步重新提交。',
      en: 'Open “Mine” and change what the reviewer names; only that is open. Then submit again in the last step.',
    },
  },
  {
    key: 'post',
    q: { zh: '可以换岗位吗？', en: 'Can I change the post?' },
    a: {
      zh: '审核开始前，且在报名截止前，可以换岗位后重新提交。审核通过后不能改报，岗位被核减或取消时除外。',
      en: 'Until the review begins and before sign-up closes you can choose another post and submit again. Not after passing, unless the post is reduced or cancelled.',
    },
  },
  {
    key: 'pay',
    q: { zh: '付了款但显示未缴？', en: 'I have paid but it says unpaid.' },
    a: {
      zh: '支付成功以缴费页的状态为准，通常几秒内更新，不要重复支付。超时到账或重复支付的款项会自动原路退回。',
      en: 'The payment page is right; it usually changes within seconds. Do not pay twice. Late or double payments go back by themselves.',
    },
  },
  {
    key: 'refund',
    q: { zh: '怎么退费？', en: 'How do I get a refund?' },
    a: {
      zh: '岗位或考试取消、重复缴费会自动退费。其他情况若本次考试允许，可在缴费页申请，由财务审批后原路退回。',
      en: 'When a post or exam is cancelled or you paid twice it comes by itself. Otherwise, where the exam allows it, ask on the payment page; finance approves it.',
    },
  },
  {
    key: 'ticket',
    q: { zh: '准考证什么时候能打印？', en: 'When can I print the ticket?' },
    a: {
      zh: '以考试详情的时间安排为准，到时会有消息提醒。打印前要先读完考生须知。',
      en: 'See the dates of the exam; you get a message. You have to read the rules first.',
    },
  },
  {
    key: 'score',
    q: { zh: '对成绩有疑问怎么办？', en: 'I doubt my result.' },
    a: {
      zh: '在公告规定的时间内向招考单位申请复核，电话见考试详情。',
      en: 'Ask the organiser for a re-check within the time that the announcement states; the phone number is on the exam page.',
    },
  },
]
