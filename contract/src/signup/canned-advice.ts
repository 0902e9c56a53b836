import { type Label, type Language, label } from '../kernel/label.ts'

const unclear = label('图片不清晰，请重新上传', 'The picture is not clear; please upload it again')

/**
 * What reviewers say most often, by what it is said about. It is stored in Chinese and read in the reader's language, so a reviewer
 * who works in English and a candidate who reads Chinese understand each other.
 */
export const cannedAdvice = {
  item: [
    label('与证件或证书不一致，请按证书填写', 'Differs from the certificate; fill in what the certificate says'),
    label('填写不完整，请补充', 'Incomplete; please add what is missing'),
    label('请按规定格式填写', 'Please keep to the required format'),
  ],
  post: [
    label('不符合岗位条件，请改报其他岗位', 'The conditions of the post are not met; please choose another post'),
    label('请核对报考岗位', 'Please check the post you chose'),
  ],
  missing: [label('请补传此材料', 'Please upload this file')],
  photo: [
    label('背景应为白色或蓝色，请重新上传', 'The background must be white or blue; please upload again'),
    label('头部比例不合适，请重新裁剪', 'The head is too small or too large; please crop again'),
    label('请上传近期免冠正面照', 'Please upload a recent portrait without a hat'),
    unclear,
  ],
  file: [
    unclear,
    label('材料不完整，请补传全部页面', 'Pages are missing; please upload all of them'),
    label('材料与本人信息不一致', 'The file does not fit the person'),
    label('缺少印章或签字', 'Seal or signature is missing'),
  ],
  returned: [label('请按修改意见逐项更正后重新提交', 'Please correct each point as advised and submit again')],
  refusal: [
    label('不符合岗位学历要求', 'The education does not meet the conditions'),
    label('不符合岗位专业要求', 'The major does not meet the conditions'),
    label('不符合岗位资格证书要求', 'The professional certificate does not meet the conditions'),
    label('提供的材料不真实或与本人不符', 'The files are not genuine or belong to somebody else'),
  ],
} as const satisfies Readonly<Record<string, readonly Label[]>>

const known = new Map<string, Label>(
  Object.values(cannedAdvice).flatMap(list => list.flatMap(one => [[one.zh, one] as const, [one.en, one] as const])),
)

/** A common text in the reader's language; what somebody has written is as it was written. */
export const adviceIn = (text: string, language: Language): string => known.get(text.trim())?.[language] ?? text

/** The text as it is stored. */
export const storedAdvice = (text: string): string => known.get(text.trim())?.zh ?? text.trim()
