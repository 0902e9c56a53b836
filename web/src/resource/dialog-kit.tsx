import { Drawer, Form, Input, InputNumber, Modal, Select, Switch } from 'antd'
import { useState } from 'react'
import { createPortal } from 'react-dom'

/**
 * The parts of a dialog, drawn where nobody meets them: outside the page. The kit works the styles of a part out when its first one is drawn,
 * and forgets them with its last one; with these each dialog of the day finds them ready, the first one too.
 */
export const DialogKit = () => {
  const [nowhere] = useState(() => document.createElement('div'))
  return createPortal(
    <>
      <Modal open={false} />
      <Drawer open={false} />
      <Form component={false}>
        <Form.Item name="text" label="-">
          <Input />
        </Form.Item>
      </Form>
      <Input.TextArea rows={1} />
      <InputNumber />
      <Select />
      <Switch />
    </>,
    nowhere,
  )
}
