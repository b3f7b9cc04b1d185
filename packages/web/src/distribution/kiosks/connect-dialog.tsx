import {
  ApiProblem,
  KIOSK_CODE_LENGTH,
  type Kiosk,
  type KioskCandidate,
  kioskCodeOf,
  kiosksApi,
} from '@bi-manager/contract'
import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call, messageOf } from '../../lib/api/api.ts'
import { useRequestedReauthentication } from '../../lib/api/reauthentication.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { deviceName } from '../../lib/text/device-name.ts'
import { relativeTime } from '../../lib/text/relative-time.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FormAnswers } from '../../ui/dialog/form-answers.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Form } from '../../ui/form.tsx'
import { typedCode } from './kiosk-texts.ts'
import classes from './kiosks.module.css'

interface ConnectDialogProps {
  isOpen: boolean
  kiosk: Kiosk
  onClose: () => void
  onConnected: (kiosk: Kiosk) => void
}

/**
 * Connects the screen that shows a code. The person first sees which screen asked for the code,
 * because the code of another screen would show the reports there.
 */
export const ConnectDialog = ({ isOpen, kiosk, onClose, onConnected }: ConnectDialogProps) => {
  const isReauthenticationAsked = useRequestedReauthentication() !== undefined
  const [typed, setTyped] = useState('')
  const params = { id: kiosk.idTelao }
  const body = { codigo: kioskCodeOf(typed) }
  const inspecting = useExclusiveMutation({ mutationFn: () => call(kiosksApi.inspectCode, { params, body }) })
  const connecting = useExclusiveMutation({
    mutationFn: () => call(kiosksApi.connect, { params, body }),
    onSuccess: (connected) => {
      onConnected(connected)
      onClose()
    },
  })
  const found = inspecting.data
  const error = connecting.error ?? inspecting.error
  const wrong = error instanceof ApiProblem ? error.campos.codigo : undefined
  const isPending = inspecting.isPending || connecting.isPending
  const reset = () => {
    inspecting.reset()
    connecting.reset()
  }
  const submit = () => {
    if (isPending) return
    if (found && !connecting.error) connecting.mutate()
    else {
      reset()
      inspecting.mutate()
    }
  }
  return (
    <Dialog
      opened={isOpen && !isReauthenticationAsked}
      onClose={() => !isPending && onClose()}
      onExitTransitionEnd={() => {
        if (isOpen) return
        reset()
        setTyped('')
      }}
      title={found ? 'É esta a tela?' : 'Conectar tela'}
    >
      <Form onSubmit={submit} aria-label="Conectar tela">
        {found ? (
          <Candidate found={found} kiosk={kiosk} />
        ) : (
          <TextInput
            className={classes.code}
            label="Código"
            description={`As ${KIOSK_CODE_LENGTH} letras que a tela mostra em ${window.location.origin}/telao`}
            placeholder="BCDF-GHJK"
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            value={typed}
            onChange={({ currentTarget }) => {
              setTyped(typedCode(currentTarget.value))
              reset()
            }}
            error={wrong}
          />
        )}
        {found && wrong && <ErrorAlert error={wrong} mt="md" />}
        {error && !wrong && <ErrorAlert error={messageOf(error)} mt="md" />}
        <FormAnswers
          submit={found ? 'Conectar esta tela' : 'Continuar'}
          isPending={isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}

const Candidate = ({ found, kiosk }: { found: KioskCandidate; kiosk: Kiosk }) => (
  <>
    <Facts
      className={classes.facts}
      rows={[
        ['Dispositivo', deviceName(found.dispositivo)],
        ['Endereço de rede', found.endereco],
        ['Pediu o código', relativeTime(found.pedidoEm, serverNow())],
      ]}
    />
    <Text size="sm" mt="md">
      Conecte só uma tela que você está vendo. Ela mostrará os relatórios de <strong>{kiosk.nome}</strong> por{' '}
      {kiosk.validadeDias} {kiosk.validadeDias === 1 ? 'dia' : 'dias'}.
      {kiosk.conectadaEm && ' A tela conectada agora volta à página do código.'}
    </Text>
  </>
)
