import { type SecondFactorStatus, secondFactorApi } from '@bi-manager/contract'
import { Alert, Button, Modal, Text } from '@mantine/core'
import '@mantine/core/styles/Modal.layer.css'
import { IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import shared from '../../ui/shared.module.css'
import { AnotherDevice } from './another-device.tsx'
import { CodeForm } from './code-form.tsx'
import type { DeviceSecret } from './link-device.tsx'
import classes from './second-factor.module.css'

interface ActiveFactorProps {
  status: SecondFactorStatus
  onRenewed: (recoveryCodes: string[]) => void
  /** Called with the secret for another device, which is not active yet. */
  onReplacing: (secret: DeviceSecret) => void
  onDisabled: () => void
}

/** The state of an active second factor and its actions. */
export const ActiveFactor = ({ status, onRenewed, onReplacing, onDisabled }: ActiveFactorProps) => {
  const { desde, codigosRestantes, exigido } = status
  const [asked, setAsked] = useState<'aparelho' | 'codigos' | 'desativar'>()
  const close = () => setAsked(undefined)
  return (
    <section className={shared.card} aria-labelledby="estado-titulo">
      <div className={classes.state}>
        <IconShieldCheck size={34} stroke={1.5} aria-hidden className={shared.successIcon} />
        <div>
          <h2 id="estado-titulo" className={classes.heading}>
            Ativo
          </h2>
          {desde && <p className={classes.text}>Desde {fullTime(desde)}.</p>}
        </div>
      </div>
      {codigosRestantes <= 3 && (
        <Alert color="yellow" className={classes.warning}>
          {codigosRestantes === 0
            ? 'Você não tem mais códigos de recuperação.'
            : codigosRestantes === 1
              ? 'Resta só 1 código de recuperação.'
              : `Restam só ${codigosRestantes} códigos de recuperação.`}{' '}
          Gere códigos novos.
        </Alert>
      )}
      <dl className={classes.facts}>
        <dt>Códigos de recuperação</dt>
        <dd>{codigosRestantes} de 10 ainda não usados</dd>
      </dl>
      <div className={shared.buttons}>
        <Button variant="default" onClick={() => setAsked('aparelho')}>
          Trocar de aparelho
        </Button>
        <Button variant="default" onClick={() => setAsked('codigos')}>
          Gerar códigos novos
        </Button>
        {!exigido && (
          <Button variant="subtle" color="red" onClick={() => setAsked('desativar')}>
            Desativar
          </Button>
        )}
      </div>
      <p className={classes.text}>
        {exigido &&
          'As regras desta instalação exigem o segundo fator de você: troque de aparelho quando quiser, sem desativá-lo. '}
        Perdeu o aparelho? Um código de recuperação também serve para trocar.
      </p>
      <Modal
        opened={asked === 'aparelho'}
        onClose={close}
        title="Trocar de aparelho"
        centered
        withCloseButton={false}
      >
        <AnotherDevice onStarted={onReplacing} onCancel={close} />
      </Modal>
      <Modal
        opened={asked === 'codigos'}
        onClose={close}
        title="Gerar códigos novos?"
        centered
        withCloseButton={false}
      >
        <Text size="sm" mb="md">
          Os códigos que você guardou deixam de valer.
        </Text>
        <CodeForm
          {...asking}
          action="Gerar códigos"
          onSubmit={async (codigo) => {
            const { codigosRecuperacao } = await call(secondFactorApi.renewCodes, { body: { codigo } })
            onRenewed(codigosRecuperacao)
          }}
          onCancel={close}
        />
      </Modal>
      <Modal
        opened={asked === 'desativar'}
        onClose={close}
        title="Desativar o segundo fator?"
        centered
        withCloseButton={false}
      >
        <Text size="sm" mb="md">
          A senha sozinha volta a bastar para entrar na sua conta.
        </Text>
        <CodeForm
          {...asking}
          action="Desativar"
          color="red"
          onSubmit={async (codigo) => {
            await call(secondFactorApi.disable, { body: { codigo } })
            onDisabled()
          }}
          onCancel={close}
        />
      </Modal>
    </section>
  )
}

const asking = {
  label: 'Código do aplicativo ou de recuperação',
  input: { inputMode: 'text', autoComplete: 'one-time-code' },
  autoFocus: true,
  inDialog: true,
} as const
