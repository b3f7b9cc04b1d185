import type { Capacity, CapacityStatus } from '@bi-manager/contract'
import { NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import { skusQuery } from './capacities-queries.ts'

export type Change = 'iniciar' | 'pausar' | 'redimensionar'

interface ChangeDialogProps {
  /** Undefined closes the dialog. */
  change: Change | undefined
  capacity: Capacity
  /** The present size. */
  sku: string | null
  onClose: () => void
  /** @param sku the chosen size, for 'redimensionar' */
  send: (change: Change, sku: string) => Promise<CapacityStatus>
  onChanged: (status: CapacityStatus) => void
}

const texts: Record<Change, { question: string; consequence: string; confirm: string }> = {
  iniciar: {
    question: 'Iniciar esta capacidade?',
    consequence: 'O Azure cobra por ela enquanto estiver ativa. Costuma levar de um a dois minutos.',
    confirm: 'Sim, iniciar',
  },
  pausar: {
    question: 'Pausar esta capacidade?',
    consequence:
      'Os relatórios abertos deixam de responder. O portal não pausa durante uma atualização de dados.',
    confirm: 'Sim, pausar',
  },
  redimensionar: {
    question: 'Mudar o tamanho desta capacidade?',
    consequence: 'O Azure cobra pelo novo tamanho. Os relatórios podem demorar durante a mudança.',
    confirm: 'Mudar o tamanho',
  },
}

/** Asks for confirmation of a change, and for the size where one is needed. */
export const ChangeDialog = ({ change, capacity, sku, onClose, send, onChanged }: ChangeDialogProps) => {
  const { shown } = useDialogTarget(change)
  const [chosen, setChosen] = useState<string>()
  const skus = useQuery({ ...skusQuery(capacity.idCapacidade), enabled: change === 'redimensionar' })
  const size = chosen ?? sku ?? ''
  const { mutate, isPending, error, reset } = useExclusiveMutation({
    mutationFn: (wanted: Change) => send(wanted, size),
    onSuccess: (status) => {
      onChanged(status)
      onClose()
    },
  })
  const isResize = shown === 'redimensionar'
  return (
    <Dialog
      opened={change !== undefined}
      onClose={() => !isPending && onClose()}
      onExitTransitionEnd={() => {
        reset()
        setChosen(undefined)
      }}
      title={shown && texts[shown].question}
    >
      {shown && (
        <>
          <Text size="sm" className={shared.breakable}>
            <strong>{capacity.nome}</strong>
          </Text>
          <Text size="sm" c="dimmed" mt={4} mb="md">
            {texts[shown].consequence}
          </Text>
          {isResize && (
            <NativeSelect
              label="Tamanho"
              mb="md"
              data={skus.data ?? [size]}
              value={size}
              onChange={({ currentTarget }) => setChosen(currentTarget.value)}
              disabled={isPending || !skus.data}
            />
          )}
          <ErrorAlert error={error ?? (isResize ? skus.error : undefined)} mb="md" />
          <div className={shared.buttonsAtEnd}>
            <Button variant="default" onClick={onClose} disabled={isPending} data-autofocus>
              {error ? 'Fechar' : 'Não, cancelar'}
            </Button>
            <Button
              loading={isPending}
              disabled={isResize && (size === sku || !skus.data)}
              onClick={() => mutate(shown)}
            >
              {error ? 'Tentar novamente' : texts[shown].confirm}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
