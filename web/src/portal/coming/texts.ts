import { defineTexts } from '#web/kernel/i18n/index.ts'

/** Names of pages that the first screen does not carry, and what they say while there is nothing to show. */
export const comingTexts = defineTexts(
  {
    'notices.title': '公告',
    'publicity.title': '公示',
    'news.title': '新闻',
    'adjust.title': '岗位改报',
    'adjust.none': '没有需要改报的岗位',
    'adjust.hint': '您报考的岗位被核减或取消时，会收到一条需确认的消息，并在这里选择改报其他岗位或退费。',
    toMine: '查看我的报名',
  },
  {
    'notices.title': 'Announcements',
    'publicity.title': 'Public notices',
    'news.title': 'News',
    'adjust.title': 'Change of post',
    'adjust.none': 'None of your posts has to be changed',
    'adjust.hint':
      'When a post you signed up for is reduced or cancelled, you get a message to confirm, and choose another post or a refund here.',
    toMine: 'See my sign-ups',
  },
)
