/** What somebody with an account reads when a school has filled in a sign-up for them; each import is a notice of its own. */
export const invitationNotice = ({
  examId,
  examName,
  importId,
}: {
  readonly examId: string
  readonly examName: string
  readonly importId: string
}) => ({
  examId,
  kind: 1 as const,
  title: { zh: '有院校为您填写了报名信息', en: 'A school has filled in a sign-up for you' },
  content: {
    zh: `${examName}：院校按您的证件号码填写了报名信息。您的账号和报名均未改动。如愿意，可接收这些内容，核对后由本人提交；否则无需处理。`,
    en: `${examName}: a school has filled in a sign-up under your id number. Nothing of your account or your sign-ups was changed. If you want it, take it over, check it and submit it yourself; otherwise there is nothing to do.`,
  },
  link: `/signup/form/${examId}?invited=1`,
  eventKey: `signup.invited:${importId}`,
})
