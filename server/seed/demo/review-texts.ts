import type { Advisement } from '#contract/signup/content-diff.ts'

/** What reviewers of the demo ask people to mend: a file, a table, a text. */
export const advices: readonly { readonly remark: string; readonly advice: Advisement }[] = [
  {
    remark: '材料不清晰，请按修改意见重新上传',
    advice: { kind: 'file', key: 'diploma', label: '毕业证书', advice: '图片模糊，看不清证书编号，请重新扫描上传' },
  },
  { remark: '请按修改意见补充', advice: { kind: 'item', key: 'resume', label: '个人简历', advice: '最近一段经历没有填写，请补充完整' } },
  { remark: '证件照不符合要求', advice: { kind: 'file', key: 'photo', label: '证件照', advice: '请上传近六个月的免冠正面照' } },
  { remark: '请核对地址', advice: { kind: 'item', key: 'address', label: '通讯地址', advice: '请填写到门牌号，便于寄送材料' } },
]
export const refusals = ['所学专业与岗位要求不符', '未取得岗位要求的执业资格', '学历证书与填报内容不一致，且未按期说明']
export const disqualification = '经查提供的资格证明不实，按公开招聘违纪违规行为处理规定取消资格'
