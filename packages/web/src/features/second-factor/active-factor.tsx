import { type SecondFactorStatus, secondFactorApi } from '@bi-manager/contract'
import { Alert, Button, Modal, Text } from '@mantine/core'
import '@mantine/core/styles/Modal.layer.css'
import { IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { CodeForm } from './code-form.tsx'
import classes from './second-factor.module.css'

interface ActiveFactorProps {
  status: SecondFactorStatus
  onRenewed: (recoveryCodes: string[]) => void
  onDisabled: () => void
}

/** What somebody who has a second factor can do about it. */
export const ActiveFactor = ({ status, onRenewed, onDisabled }: ActiveFactorProps) => {
  const { desde, codigosRestantes, exigido } = status
  const [asked, setAsked] = useState<'codigos' | 'desativar'>()
  const close = () => setAsked(undefined)
  return (
    <section className={classes.card} aria-labelledby="estado-titulo">
      <div className={classes.state}>
        <IconShieldCheck size={34} stroke={1.5} aria-hidden className={classes.stateIcon} />
        <div>
          <h2 id="estado-titulo" className={classes.heading}>
            Ativo
          </h2>
          {desde && <p className={classes.text}>Desde {moment.format(new Date(desde))}.</p>}
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
      <div className={classes.buttons}>
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
        {exigido
          ? 'As regras desta instalação exigem o segundo fator de você. Para trocar de aparelho, peça a outro administrador que o redefina.'
          : 'Para trocar de aparelho, desative e configure de novo.'}
      </p>
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
} as const

const moment = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short' })
