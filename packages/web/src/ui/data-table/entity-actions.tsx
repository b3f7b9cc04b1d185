import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { RowAction } from './row-action.tsx'

type EntityActionProps = Pick<ComponentProps<typeof RowAction>, 'of' | 'to' | 'onClick'>

export const EditAction = (props: EntityActionProps) => (
  <RowAction icon={IconPencil} label="Editar" {...props} />
)

export const DeleteAction = (props: EntityActionProps) => (
  <RowAction icon={IconTrash} color="red" label="Excluir" {...props} />
)
