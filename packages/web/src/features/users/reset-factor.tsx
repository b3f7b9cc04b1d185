import { secondFactorApi, type User } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { callWithProof } from '../../lib/api/proof.ts'
import { useSession } from '../../lib/session/session.ts'
import { ConfirmDelete } from '../../ui/confirm-delete.tsx'
import shared from '../../ui/shared.module.css'
import classes from './users.module.css'

interface ResetFactorProps {
  /** The user whose second factor is reset; undefined closes the dialog. */
  user: User | undefined
  onClose: () => void
  onReset: () => void
}

/** Resets the second factor of a user who lost the device and the recovery codes. */
export const ResetFactor = ({ user, onClose, onReset }: ResetFactorProps) => (
  <ConfirmDelete
    target={user}
    onClose={onClose}
    question="Redefinir o segundo fator desta pessoa?"
    done="Segundo fator redefinido!"
    outcome="As sessões da pessoa terminaram, e avisamos por e-mail. Até ela configurar outro aparelho, a senha basta para entrar."
    confirm="Sim, redefinir"
    failed="Não foi possível redefinir"
    nameOf={({ nomeUsuario, emailUsuario }) => `${nomeUsuario} (${emailUsuario})`}
    consequence="Confirme por outro meio que o pedido é dela: até configurar outro aparelho, a senha basta para entrar. As sessões abertas terminam na hora."
    remove={({ idUsuario: id }) => callWithProof(secondFactorApi.reset, { params: { id } })}
    onDeleted={onReset}
  />
)

/** A section below the form of a user with a second factor. */
export const FactorSection = ({ user, onReset }: { user: User; onReset: () => void }) => {
  const session = useSession()
  const [isAsked, setAsked] = useState(false)
  const [isGone, setGone] = useState(false)
  if (!user.segundoFator) return null
  const isOwn = user.idUsuario === session?.usuario_id
  return (
    <section className={classes.permissions} aria-labelledby="segundo-fator">
      <div>
        <h2 id="segundo-fator" className={shared.subheading}>
          Segundo fator
        </h2>
        <p className={shared.underHeading}>
          {isGone
            ? 'Redefinido: a pessoa configura outro aparelho quando entrar.'
            : isOwn
              ? 'Ativo. O seu, só outro administrador redefine.'
              : 'Ativo. Redefina-o se a pessoa perdeu o aparelho e os códigos de recuperação.'}
        </p>
      </div>
      {!isOwn && !isGone && (
        <Button variant="default" onClick={() => setAsked(true)}>
          Redefinir segundo fator
        </Button>
      )}
      <ResetFactor
        user={isAsked ? user : undefined}
        onClose={() => setAsked(false)}
        onReset={() => {
          setGone(true)
          onReset()
        }}
      />
    </section>
  )
}
