import { defineTexts } from '#web/kernel/i18n/index.ts'

/** Names of pages that the first screen does not carry, and what they say while there is nothing to show. */
export const comingTexts = defineTexts(
  {
    published: '公示与新闻',
    'publicity.title': '公示',
    'publicity.none': '目前没有公示',
    'publicity.hint':
      '笔试、面试、体检、考察的结果和拟聘用人员名单会在这里公示。公示期内对名单有异议的，可拨打考试详情中的招考咨询电话反映。',
    'news.title': '新闻',
    'news.none': '还没有新闻',
    'news.hint': '招考动态和政策解读会在这里发布。正在报名的考试请看“报名”。',
    'adjust.title': '岗位改报',
    'adjust.none': '没有需要改报的岗位',
    'adjust.hint': '您报考的岗位被核减或取消时，会收到一条需确认的消息，并在这里选择改报其他岗位或退费。',
    toExams: '查看考试',
    toMine: '查看我的报名',
  },
  {
    published: 'Public notices and news',
    'publicity.title': 'Public notices',
    'publicity.none': 'Nothing is on public notice now',
    'publicity.hint':
      'Results of written exams, interviews, medical checks and vetting, and lists of people to be hired, are published here. To object while a list is on notice, call the hotline on the exam page.',
    'news.title': 'News',
    'news.none': 'No news yet',
    'news.hint': 'News and explanations of rules appear here. Exams open for sign-up are under “Sign up”.',
    'adjust.title': 'Change of post',
    'adjust.none': 'None of your posts has to be changed',
    'adjust.hint':
      'When a post you signed up for is reduced or cancelled, you get a message to confirm, and choose another post or a refund here.',
    toExams: 'See the exams',
    toMine: 'See my sign-ups',
  },
)
