import { Group, Modal, type ModalProps } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { FailureScope } from '../data-table/failure-scope.tsx'
import shared from '../shared.module.css'

interface DialogProps extends Omit<ModalProps, 'centered' | 'withCloseButton'> {
  /** Marks the title as a success. */
  isDone?: boolean
}

/** A dialog that is closed with one of its own buttons. */
export const Dialog = ({ isDone = false, title, children, ...modal }: DialogProps) => (
  <Modal
    centered
    withCloseButton={false}
    title={
      <Group component="span" gap="0.625rem" wrap="nowrap">
        {isDone && <IconCircleCheck size={26} stroke={1.8} aria-hidden className={shared.successIcon} />}
        {title}
      </Group>
    }
    {...modal}
  >
    {/* The page below may have failed with the same message. */}
    <FailureScope>{children}</FailureScope>
  </Modal>
)
