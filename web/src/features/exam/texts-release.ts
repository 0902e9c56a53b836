import { defineTexts } from '#web/kernel/i18n/index.ts'

export const releaseTexts = defineTexts(
  {
    'release.title': '发布考试“{name}”',
    'release.ok': '发布',
    'release.lead': '发布“{name}”后，以下内容向所有考生公开，考生可按报名时间报名：',
    'release.sign': '报名时间',
    'release.pay': '收费',
    'release.fee': '{yuan} 元',
    'release.posts': '岗位表',
    'release.posts.of': '{count} 个岗位，计划 {plan} 人，含报考条件',
    'release.papers': '考试科目',
    'release.form': '报名表与材料',
    'release.form.of': '报名项 {items} 项（必填 {required} 项），材料 {files} 项（必交 {requiredFiles} 项）',
    'release.texts': '文字内容',
    'release.texts.of': '考试名称、说明、主办单位、咨询电话、诚信承诺书',
    'release.free': '这些岗位的报名费为 0，考生无需缴费：{posts}',
    'release.after':
      '发布后，收费、承诺书等内容不能再改，其余修改会留下公开的变更记录。需要收回时：在考试列表该行的“更多”中点“撤回发布”；一旦有人提交报名就不能撤回，只能关闭考试。',
  },
  {
    'release.title': 'Release “{name}”',
    'release.ok': 'Release',
    'release.lead': 'With the release of “{name}” everybody can read this, and sign up within the window:',
    'release.sign': 'Sign-up',
    'release.pay': 'Fee',
    'release.fee': '{yuan} yuan',
    'release.posts': 'Posts',
    'release.posts.of': '{count|post|posts} for {plan|person|people}, with their conditions',
    'release.papers': 'Papers',
    'release.form': 'Form and files',
    'release.form.of': 'Fields: {items}, {required} of them required; files: {files}, {requiredFiles} of them required',
    'release.texts': 'Texts',
    'release.texts.of': 'Name, description, organizer, enquiry phone, integrity undertaking',
    'release.free': 'These posts cost nothing, nobody pays for them: {posts}',
    'release.after':
      'From then on fees and the integrity undertaking are fixed and every other change leaves a public line. To take it back: “Withdraw the release” in the row of the list of examinations. Once somebody has signed up that is no longer possible, only closing is.',
  },
)
