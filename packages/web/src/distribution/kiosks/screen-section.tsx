import { type Kiosk, kioskEntity, kiosksApi } from '@bi-manager/contract'
import { Alert } from '@mantine/core'
import { IconDeviceTv, IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { deviceName } from '../../lib/text/device-name.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { Facts } from '../../ui/facts.tsx'
import shared from '../../ui/shared.module.css'
import { useNow } from '../../ui/use-now.ts'
import { ConnectDialog } from './connect-dialog.tsx'
import { expiryText, screenStateOf, seenText } from './kiosk-texts.ts'
import classes from './kiosks.module.css'
import { screenQuery } from './kiosks-queries.ts'
import { ScreenBadge } from './screen-badge.tsx'

/** The screen that shows this kiosk, and the pages that it leaves out. */
export const ScreenSection = ({ kiosk }: { kiosk: Kiosk }) => {
  const client = useQueryClient()
  const query = screenQuery(kiosk)
  const { data: current } = useQuery(query)
  // A screen that no longer answers changes nothing but the time since.
  useNow(10_000)
  const [isConnecting, setConnecting] = useState(false)
  const [leaving, setLeaving] = useState<Kiosk>()
  const { conectadaEm, conectadaPor, dispositivo, paginas } = current
  const out = paginas.filter(({ impedimento }) => impedimento !== null)
  const handleChanged = (changed: Kiosk) => {
    client.setQueryData(query.queryKey, changed)
    refreshAfter(client, kioskEntity)
  }
  return (
    <section className={shared.panel} aria-labelledby="tela">
      <div className={shared.spread}>
        <h2 id="tela" className={shared.subheading}>
          Tela
        </h2>
        <div role="status">
          <ScreenBadge state={screenStateOf(current, serverNow())} />
        </div>
      </div>
      {conectadaEm ? (
        <Facts
          className={classes.facts}
          rows={[
            ['Dispositivo', deviceName(dispositivo)],
            ['Conectada', `${fullTime(conectadaEm)}, por ${conectadaPor}`],
            ['Vista por último', seenText(current, serverNow())],
            ['Vence em', expiryText(current)],
          ]}
        />
      ) : (
        <ol className={`${classes.steps} ${shared.note}`}>
          <li>
            Na tela, abra <strong>{`${window.location.origin}/telao`}</strong>. Ela mostra um código.
          </li>
          <li>Aqui, escolha Conectar tela e digite o código.</li>
        </ol>
      )}
      {out.length > 0 && (
        <Alert color="yellow" mt="md" title="Fora da rotação">
          <ul>
            {out.map(({ idTelaoPagina, nomeRelatorio, impedimento }) => (
              <li key={idTelaoPagina}>
                <strong>{nomeRelatorio}</strong>: {impedimento}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <div className={`${shared.buttons} ${classes.actions}`}>
        <ActionButton
          isMain={!conectadaEm}
          icon={IconDeviceTv}
          label={conectadaEm ? 'Conectar outra tela' : 'Conectar tela'}
          onClick={() => setConnecting(true)}
        />
        {conectadaEm && (
          <ActionButton icon={IconPlugConnectedX} label="Desconectar" onClick={() => setLeaving(current)} />
        )}
      </div>
      <ConnectDialog
        isOpen={isConnecting}
        kiosk={current}
        onClose={() => setConnecting(false)}
        onConnected={handleChanged}
      />
      <ConfirmDelete
        target={leaving}
        onClose={() => setLeaving(undefined)}
        question="Desconectar a tela deste telão?"
        done="Tela desconectada!"
        consequence="Ela volta à página do código em segundos. Os relatórios já abertos nela saem da tela."
        confirm="Sim, desconectar"
        nameOf={({ nome }) => nome}
        remove={async ({ idTelao: id }) => {
          handleChanged(await call(kiosksApi.disconnect, { params: { id } }))
        }}
        onDeleted={() => undefined}
      />
    </section>
  )
}
