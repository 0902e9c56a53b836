import { defineTexts } from '#web/kernel/i18n/index.ts'

export const passportTexts = defineTexts(
  {
    'passport.ask': '这是护照号码',
    'passport.help': '护照号码不含出生日期和性别，请按护照填写；注册后即为核验信息，报名表照此填写。是否接受护照由各场考试规定。',
    'passport.nationality': '国籍（护照签发国家或地区）',
    'passport.birthday': '出生日期',
    'passport.sex': '性别',
    'passport.sex.1': '男',
    'passport.sex.2': '女',
  },
  {
    'passport.ask': 'This is the number of a passport',
    'passport.help':
      'The number of a passport says neither birth date nor sex: give them as the passport has them. They are then verified, and forms take them. Each examination says whether it takes passports.',
    'passport.nationality': 'Nationality (country that issued it)',
    'passport.birthday': 'Birth date',
    'passport.sex': 'Sex',
    'passport.sex.1': 'Male',
    'passport.sex.2': 'Female',
  },
)
