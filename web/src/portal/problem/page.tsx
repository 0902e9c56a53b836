import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { PageTitle } from '../kit/page-ui.tsx'

const problemTexts = defineTexts(
  {
    'problem.title': '常见问题',
    'problem.photo.q': '证件照有什么要求？',
    'problem.photo.a':
      '近期正面免冠照，白色或蓝色背景，至少 295×413 像素，不超过 500 KB。上传时可直接裁剪，页面会当场提示尺寸、亮度和背景是否合适。',
    'problem.draft.q': '填到一半能离开吗？',
    'problem.draft.a': '可以。内容每 5 秒自动保存，离线时保存在本机，联网后自动上传。下次进入会接着填。证件号码、手机号码不会留在本机。',
    'problem.upload.q': '上传时断网怎么办？',
    'problem.upload.a': '不用重来。网络恢复后会自动续传，同一个文件不会存两份。',
    'problem.name.q': '姓名有生僻字或间隔号怎么填？',
    'problem.name.a': '请用系统输入法或从电子身份证复制。间隔号请用“·”，输入成“•”“．”也会自动更正。',
    'problem.return.q': '报名被退回怎么办？',
    'problem.return.a': '打开“我的报名”，按“改这几处”的意见修改，只有这几处可以改。改完到最后一步重新提交。',
    'problem.post.q': '可以换岗位吗？',
    'problem.post.a': '审核开始前，且在报名截止前，可以换岗位后重新提交。审核通过后不能改报，岗位被核减或取消时除外。',
    'problem.pay.q': '付了款但显示未缴？',
    'problem.pay.a': '支付成功以缴费页的状态为准，通常几秒内更新，不要重复支付。超时到账或重复支付的款项会自动原路退回。',
    'problem.refund.q': '怎么退费？',
    'problem.refund.a': '岗位或考试取消、重复缴费会自动退费。其他情况若本次考试允许，可在缴费页申请，由财务审批后原路退回。',
    'problem.ticket.q': '准考证什么时候能打印？',
    'problem.ticket.a': '以考试详情的时间安排为准，到时会有消息提醒。打印前要先读完考生须知。',
    'problem.score.q': '对成绩有疑问怎么办？',
    'problem.score.a': '在公告规定的时间内向招考单位申请复核，电话见考试详情。',
  },
  {
    'problem.title': 'Common questions',
    'problem.photo.q': 'What must the photo look like?',
    'problem.photo.a':
      'Recent, facing the camera, no hat, white or blue background, at least 295×413 pixels, at most 500 KB. You can crop it when you upload; size, brightness and background are checked at once.',
    'problem.draft.q': 'Can I leave half-way?',
    'problem.draft.a':
      'Yes. Everything is saved every 5 seconds; offline it is kept on the device and sent later. You continue where you stopped. Id card and phone numbers are never kept on the device.',
    'problem.upload.q': 'What if the connection drops while I upload?',
    'problem.upload.a': 'Nothing to repeat. The upload goes on by itself, and no file is stored twice.',
    'problem.name.q': 'My name has rare characters or a separator.',
    'problem.name.a': 'Use the system keyboard or copy it from your electronic id card. The separator is “·”; look-alikes are corrected.',
    'problem.return.q': 'My sign-up was returned.',
    'problem.return.a': 'Open “Mine” and change what the reviewer names; only that is open. Then submit again in the last step.',
    'problem.post.q': 'Can I change the post?',
    'problem.post.a':
      'Until the review begins and before sign-up closes you can choose another post and submit again. Not after passing, unless the post is reduced or cancelled.',
    'problem.pay.q': 'I have paid but it says unpaid.',
    'problem.pay.a':
      'The payment page is right; it usually changes within seconds. Do not pay twice. Late or double payments go back by themselves.',
    'problem.refund.q': 'How do I get a refund?',
    'problem.refund.a':
      'When a post or exam is cancelled or you paid twice it comes by itself. Otherwise, where the exam allows it, ask on the payment page; finance approves it.',
    'problem.ticket.q': 'When can I print the ticket?',
    'problem.ticket.a': 'See the dates of the exam; you get a message. You have to read the rules first.',
    'problem.score.q': 'I doubt my result.',
    'problem.score.a':
      'Ask the organiser for a re-check within the time that the announcement states; the phone number is on the exam page.',
  },
)

const topics = ['photo', 'draft', 'upload', 'name', 'return', 'post', 'pay', 'refund', 'ticket', 'score'] as const

export const ProblemPage = () => {
  const t = useT(problemTexts)
  return (
    <>
      <PageTitle back="/" title={t('problem.title')} />
      <div className="p-stack">
        {topics.map(topic => (
          <details key={topic} className="p-card p-fold">
            <summary>{t(`problem.${topic}.q`)}</summary>
            <p className="p-soft">{t(`problem.${topic}.a`)}</p>
          </details>
        ))}
      </div>
    </>
  )
}
