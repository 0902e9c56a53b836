import { defineTexts } from '#web/kernel/i18n/index.ts'

/** What stands below the fold of the first page: it comes after it. */
export const besideTexts = defineTexts(
  {
    'home.unread': '未读消息',
    'home.noUnread': '没有未读消息',
    'home.allMessages': '全部消息',
    'home.help': '需要帮助',
    'home.helpText': '照片怎么拍、怎么改报、怎么退费，先看常见问题。',
  },
  {
    'home.unread': 'Unread messages',
    'home.noUnread': 'No unread messages',
    'home.allMessages': 'All messages',
    'home.help': 'Need help?',
    'home.helpText': 'How to take the photo, change your post or get a refund: see the common questions first.',
  },
)
