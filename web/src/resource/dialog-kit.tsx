import { Drawer, Form, Input, Modal, Select, Switch } from 'antd'
import { startTransition, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { whenIdle } from './when-idle.ts'

const parts = [
  <Modal key="modal" open={false} />,
  <Drawer key="drawer" open={false} />,
  <Form key="form" component={false}>
    <Form.Item name="text" label="-">
      <Input />
    </Form.Item>
  </Form>,
  <Input.TextArea key="area" rows={1} />,
  <Select key="select" />,
  <Switch key="switch" />,
]

/**
 * The parts of a dialog, drawn where nobody meets them: outside the page. The kit works the styles of a part out when its first one is drawn,
 * and forgets them with its last one; with these each dialog of the day finds them ready, the first one too. One part at a time: together
 * they would hold up whoever presses a button just then.
 */
export const DialogKit = () => {
  const [nowhere] = useState(() => document.createElement('div'))
  const [drawn, setDrawn] = useState(1)
  useEffect(() => {
    if (drawn < parts.length) whenIdle(() => startTransition(() => setDrawn(drawn + 1)))
  }, [drawn])
  return createPortal(parts.slice(0, drawn), nowhere)
}
