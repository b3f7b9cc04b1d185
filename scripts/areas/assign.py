from graph import *
S='packages/server/src/'; W='packages/web/src/'; C='packages/contract/src/'
ORDER=['platform','accounts','connections','reports','access','publishing','distribution','clinical','operations','app']
# server rules: (prefix or file, target dir) ; longest prefix wins; target keeps basename (or explicit file)
SR={
'lib/':'platform/lib/','config/':'platform/config/','db/':'platform/db/','http/':'platform/http/',
'lib/repeat.ts':'platform/jobs/','db/run-exclusively.ts':'platform/jobs/',
'access/caller.ts':'platform/http/callers/','access/api-key.ts':'platform/http/callers/calling-key.ts','access/guest-visit.ts':'platform/http/callers/','access/kiosk-device.ts':'platform/http/callers/',
'files/':'platform/files/','images/':'platform/files/images/','pdf/':'platform/files/pdf/','spreadsheets/':'platform/files/spreadsheets/',
'files/active-content.ts':'platform/files/uploads/','files/judge-file.ts':'platform/files/uploads/','files/judge-pdf.ts':'platform/files/uploads/','files/pdf-':'platform/files/uploads/','files/pdfjs-core.ts':'platform/files/uploads/','files/read-as-viewer.ts':'platform/files/uploads/','files/read-pdf.ts':'platform/files/uploads/','files/refused-pdf.ts':'platform/files/uploads/',
'brand/':'platform/brand/',
'audit/record-audit.ts':'platform/audit/','audit/record-change.ts':'platform/audit/','audit/refusal-limiter.ts':'platform/audit/','audit/row-text.ts':'platform/audit/',
'audit/pending-lines.ts':'platform/audit/','audit/choice-trail.ts':'reports/activity/',
'audit/':'operations/audit/','verification/':'operations/audit/','features/audit/':'operations/audit/','jobs/audit-upkeep.ts':'operations/audit/',
'notifications/notify.ts':'platform/notifications/','notifications/resolve-notifications.ts':'platform/notifications/','notifications/drop-notifications.ts':'platform/notifications/','notifications/notify-security.ts':'platform/notifications/','notifications/list-of.ts':'platform/notifications/',
'notifications/announcements.ts':'distribution/announcements/','notifications/notify-granted.ts':'access/grants/','notifications/notify-connection-failing.ts':'connections/connections/','notifications/notify-health-access.ts':'accounts/users/','notifications/account-waiting.ts':'accounts/users/','notifications/comment-subjects.ts':'reports/comments/',
'mail/':'platform/mail/','mail/subscription-':'distribution/subscriptions/','mail/alert-':'distribution/alerts/',
'mail/send-test-mail.ts':'operations/system-status/',
'environment/':'platform/installation/','features/environment/':'operations/installation/',
'environment/configured-database.ts':'platform/db/','simultaneous-start.test.ts':'','refused-starts.test.ts':'','unusual-database.test.ts':'',
# row-source.ts is split by the cuts: what decides a person's rows (users), and a registration's (registered-rows.ts)
'capacity/connection-services.ts':'connections/services.ts','features/publishing/publishing-services.ts':'publishing/services.ts',
'all-services.ts':'','mails.ts':'','routes.ts':'','background.ts':'',
'bi/row-source.ts':'accounts/users/','bi/registered-rows.ts':'reports/registrations/',
'bi/others-choices.ts':'reports/visibility/','bi/publishing/archive-api.ts':'operations/backup/','access/shown-without-account.ts':'reports/visibility/',
# accounts
'auth/':'accounts/credentials/','features/sign-in/':'accounts/sign-in/','features/oidc/':'accounts/identity-provider/','auth/oidc-client.ts':'accounts/identity-provider/',
'auth/drop-entrance.ts':'accounts/credentials/revoke-credentials.ts','auth/tell-second-factor.ts':'accounts/credentials/notify-second-factor.ts',
'features/second-factor/':'accounts/second-factor/','features/accounts/':'accounts/links/',
'auth/expiring-keys.ts':'accounts/api-keys/','features/api-keys/':'accounts/api-keys/','sessions/api-keys.ts':'accounts/api-keys/key-callers.ts',
'sessions/':'accounts/sessions/','auth/end-sessions.ts':'accounts/sessions/','auth/known-devices.ts':'accounts/sessions/',
'access/access-watch.ts':'accounts/live/','features/live/':'accounts/live/',
'features/own-account/':'accounts/own-account/','features/security-settings/':'accounts/security-settings/','auth/sign-in-networks.ts':'accounts/security-settings/',
'features/users/':'accounts/users/','names/':'accounts/names/','access/join-profiles.ts':'accounts/users/','features/responsibles/':'accounts/responsibles/',
'sessions/kiosk-devices.ts':'distribution/kiosks/','sessions/guest-visits.ts':'distribution/guests/',
# connections
'bi/':'connections/power-bi/','bi/connection-test/':'connections/connections/','bi/publishing/':'publishing/','bi/publishing/point-api.ts':'clinical/point-beneficiaries/','bi/publishing/report-data-api.ts':'reports/data/',
'bi/provider-advice':'connections/connections/','bi/secret-expiry.ts':'connections/connections/',
'features/connections/':'connections/connections/','features/capacities/':'connections/capacities/','capacity/':'connections/capacities/','jobs/capacity-watch.ts':'connections/capacities/',
# reports
'access/visible-reports.ts':'reports/visibility/','access/may-view.ts':'reports/visibility/','access/view-obstacle.ts':'reports/visibility/',
'access/menu.ts':'reports/menu/','features/menus/':'reports/menu/','features/favorites/':'reports/favorites/','features/pages/':'reports/pages/',
'features/workspaces/':'reports/workspaces/','features/report-records/':'reports/registrations/','features/report-roles/':'reports/registrations/',
'features/embedding/':'reports/embedding/','features/embedding/mcp/':'reports/mcp/','features/embedding/view-as.routes.ts':'access/explainer/','features/embedding/kiosk-embed.routes.ts':'distribution/kiosks/','features/embedding/guest-embed.routes.ts':'distribution/guests/',
'features/report-exports/':'reports/exports/','exports/':'reports/exports/','features/saved-views/':'reports/saved-views/',
'features/comments/':'reports/comments/','access/comment-readers.ts':'reports/comments/',
'features/data-freshness/':'reports/freshness/','jobs/refresh-watch.ts':'reports/freshness/','jobs/watched-datasets.ts':'reports/freshness/','subscriptions/refreshed-reports.ts':'reports/freshness/',
'features/usage/':'reports/usage/','usage/':'reports/usage/','jobs/usage-backlog.ts':'reports/usage/','features/report-performance/':'reports/usage/','features/activity/':'reports/activity/',
# access
'features/grants/':'access/grants/','features/grants/explain-access.ts':'access/explainer/','access/insert-grant.ts':'access/grants/','access/report-set.ts':'access/grants/','features/profiles/':'access/profiles/','features/access-requests/':'access/requests/','jobs/expiry-notices.ts':'access/grants/',
# publishing
'features/publishing/':'publishing/','jobs/data-schedules.ts':'publishing/',
# distribution
'alerts/':'distribution/alerts/','features/alerts/':'distribution/alerts/','jobs/alerts.ts':'distribution/alerts/alerts.job.ts',
'subscriptions/':'distribution/subscriptions/','features/subscriptions/':'distribution/subscriptions/','jobs/subscriptions.ts':'distribution/subscriptions/subscriptions.job.ts',
'features/announcements/':'distribution/announcements/','jobs/announcements.ts':'distribution/announcements/announcements.job.ts','features/notifications/':'distribution/notifications/',
'features/guests/':'distribution/guests/','access/guests.ts':'distribution/guests/','features/kiosks/':'distribution/kiosks/','access/kiosk-pages.ts':'distribution/kiosks/',
# clinical
'clinical/':'clinical/health-data/','features/medical-records/':'clinical/medical-records/','features/attachments/':'clinical/attachments/','clinical/attachments.ts':'clinical/attachments/','clinical/pending-files.ts':'clinical/attachments/','jobs/tidy-files.ts':'clinical/attachments/',
'features/beneficiaries/':'clinical/beneficiaries/','clinical/beneficiar':'clinical/beneficiaries/','features/data-protection/':'clinical/data-protection/','features/point-beneficiaries/':'clinical/point-beneficiaries/',
# operation
'backup/':'operations/backup/','keys/':'operations/keys/','commands/':'platform/commands/','keys/command-call.ts':'platform/commands/','features/system-status/':'operations/system-status/','metrics/':'operations/metrics/','features/health/':'operations/health/','features/appearance/':'operations/appearance/','features/portal/':'operations/installation/','jobs/housekeeping.ts':'operations/housekeeping/','features/dependants/':'operations/dependants/','demo/':'demo/',
'main.ts':'','start-server.ts':'','app.ts':'',
}
CR={
'calls/':'calls/','workbook/':'calls/../workbook/',
'accounts/':'accounts/','accounts/grants.ts':'access/','accounts/profiles.ts':'access/','accounts/setup.ts':'operations/','accounts/pdf-password.ts':'accounts/',
'clinical/':'clinical/','connections/':'connections/','connections/publishing.ts':'publishing/','connections/published-reports.ts':'publishing/','connections/data-schedules.ts':'publishing/','connections/data-freshness.ts':'reports/','connections/workspaces.ts':'reports/',
'distribution/':'distribution/','distribution/access-requests.ts':'access/','distribution/comments.ts':'reports/',
'reports/':'reports/','portal/':'operations/','portal/usage.ts':'reports/','portal/activity.ts':'reports/','portal/incident-term.ts':'clinical/','portal/live.ts':'accounts/',
}
WR={
'lib/':'lib/','ui/':'ui/','app/':'app/','main.tsx':'',
'lib/navigation/favorites.ts':'reports/favorites/','lib/navigation/menu.ts':'reports/menu/','lib/api/saved-views-query.ts':'reports/saved-views/','lib/freshness/':'reports/freshness/','lib/session/asked-records.ts':'clinical/point-beneficiaries/','ui/data-refresh.tsx':'reports/freshness/',
'ui/favorite-list/':'reports/favorites/','ui/favorite-star.tsx':'reports/favorites/','ui/search-select/report-options.ts':'reports/registrations/','ui/report-link.tsx':'distribution/subscriptions/','ui/report-set/':'access/report-set/',
'ui/alert/':'distribution/alerts/','ui/subscription/':'distribution/subscriptions/','ui/announcement/':'ui/announcement/','ui/beneficiary-search/':'clinical/beneficiaries/','ui/purpose-gate.tsx':'clinical/purpose/','ui/author-name.tsx':'clinical/medical-records/','ui/password-strength/':'accounts/passwords/','ui/proof-dialog/':'ui/proof-dialog/',
'features/users/':'accounts/users/','features/accounts/':'accounts/links/','features/sessions/':'accounts/sign-in/','features/second-factor/':'accounts/second-factor/','features/own-account/':'accounts/own-account/','features/api-keys/':'accounts/api-keys/','features/security-settings/':'accounts/security-settings/',
'features/accounts/unsubscribe-page.tsx':'distribution/subscriptions/','features/accounts/visit-':'distribution/guests/',
'features/connections/':'connections/connections/','features/capacities/':'connections/capacities/',
'features/workspaces/':'reports/workspaces/','features/report-records/':'reports/registrations/','features/menus/':'reports/menu/','features/home/':'reports/home/','features/dashboards/':'reports/pages/','features/usage/':'reports/usage/',
'features/viewer/':'reports/viewer/','features/viewer/comments/':'reports/comments/','features/viewer/saved-views/':'reports/saved-views/','features/viewer/freshness/':'reports/freshness/','features/viewer/alerts/':'distribution/alerts/','features/viewer/subscriptions/':'distribution/subscriptions/','features/viewer/kiosk/':'distribution/kiosks/screen/','features/viewer/guest/':'distribution/guests/visit/','features/viewer/point-beneficiaries/':'clinical/point-beneficiaries/','features/viewer/preview/':'publishing/preview/','features/viewer/report-as':'access/explainer/','features/viewer/problems/ask-access.tsx':'access/requests/',
'features/quick-search/':'app/quick-search/',
'features/grants/':'access/grants/','features/profiles/':'access/profiles/','features/access-requests/':'access/requests/','features/access-explainer/':'access/explainer/',
'features/publishing/':'publishing/',
'features/alerts/':'distribution/alerts/','features/subscriptions/':'distribution/subscriptions/','features/announcements/':'distribution/announcements/','features/notifications/':'distribution/notifications/','features/guests/':'distribution/guests/','features/kiosks/':'distribution/kiosks/',
'features/medical-records/':'clinical/medical-records/','features/attachments/':'clinical/attachments/','features/beneficiaries/':'clinical/beneficiaries/','features/data-protection/':'clinical/data-protection/','app/clinical-panel/':'clinical/panel/',
'features/audit/':'operations/audit/','features/system-status/':'operations/system-status/','features/appearance/':'operations/appearance/','features/manual/':'operations/manual/','features/environment/':'operations/installation/','features/setup/':'operations/setup/','features/privacy/':'operations/privacy/',
'app/errors/error-boundary.tsx':'ui/errors/','app/errors/broken-page.tsx':'ui/errors/','app/publish-route.tsx':'publishing/','app/embedded-report/':'reports/pages/','app/dashboard-route.tsx':'reports/pages/',
}
# Journeys of step 9: each in the folder of its area.
E='packages/e2e/src/journeys/'
JOURNEYS={'accounts':'accounts api-keys back-office-users first-password my-account oidc second-factor-proposal second-factor sign-in-networks sign-in user-import',
'connections':'back-office-connections capacities capacity-start microsoft-clouds microsoft-tenant power-bi-identity secret-expiry',
'reports':'back-office-reports back-office-workspaces import-workspaces comments data-freshness home main-job microsoft-spreadsheets paginated-reports report-pages report-service-away usage viewer-faults viewer-features viewer-opening-faults viewer-phone viewer-switches viewer',
'access':'access-ends access-requests back-office-permission-saves back-office-permissions back-office-profiles',
'publishing':'published-reports publishing-roles publishing report-files',
'distribution':'alerts announcements guests kiosk notifications subscriptions',
'clinical':'attachments beneficiaries clinical-panel clinical-traces data-protection medical-records point-beneficiaries',
'operations':'api-docs appearance audit content-policy first-steps firefox installed lists manual read-only-checkout reverse-proxies shell system-status',
'report-service':'open-data protocol protocol-bodies protocol-bookmarks protocol-calls protocol-embedding protocol-filters protocol-limits protocol-reader protocol-refusals protocol-tokens protocol-visuals report-tables report-visuals'}
JR={E+n+'.journey.ts':E+a+'/'+n+'.journey.ts' for a,ns in JOURNEYS.items() for n in ns.split()}
CUTS=set()
def cut(a,b): CUTS.add((a,b))
for t in ('bi/embed-issuer.ts','bi/power-bi-api.ts','bi/refresh-histories.ts','capacity/capacity-control.ts','capacity/capacity-gate.ts','bi/publishing/point-api.ts','bi/publishing/draft-api.ts','bi/publishing/published-api.ts'): cut(S+'http/services.ts',S+t)
for a,b in (('mail-texts','alert-text'),('mail-texts','subscription-text'),('queue-mail','alert-mail'),('queue-mail','subscription-mail'),('send-mail','alert-mail'),('send-mail','subscription-mail')): cut(S+f'mail/{a}.ts',S+f'mail/{b}.ts')
cut(S+'mail/compose-mail.ts',S+'exports/export-order.ts'); cut(S+'mail/send-mail.ts',S+'access/comment-readers.ts')
V=W+'features/viewer/'
for t in ('problems/ask-access.tsx','point-beneficiaries/point-beneficiaries-button.tsx','alerts/use-alert-dialog.tsx','subscriptions/use-subscribe-dialog.tsx'): cut(V+'report-viewer.tsx',V+t)
for a,b in (('connections/connections','reports/report-parameters'),('connections/capacities','connections/data-freshness'),('connections/publishing','clinical/attachments')): cut(C+a+'.ts',C+b+'.ts')
cut(S+'sessions/open-session.ts',S+'auth/second-factor.ts')
for a,b in CUTS:
    if b in imp.get(a,{}): del imp[a][b]
# Folders of the target: what stands there has its place already.
PLACED={S:tuple(['platform/','accounts/','connections/','reports/','publishing/','distribution/','operations/']
    +sorted({t for t in SR.values() if t.startswith(('access/','clinical/'))})),
  W:tuple(x+'/' for x in ORDER if x not in('platform','app')),C:('access/','publishing/','operations/')}
def place(f):
    if f.startswith(E): return JR.get(f,f)
    for base,R in((S,SR),(W,WR),(C,CR)):
        if f.startswith(base):
            r=f[len(base):]; best=None
            if r.startswith(PLACED[base]): return f
            for k in R:
                if r==k or (r.startswith(k) and (k.endswith('/') or not k.endswith(('.ts','.tsx')))):
                    if best is None or len(k)>len(best): best=k
            if best is None: return f
            t=R[best]
            if t.endswith(('.ts','.tsx')): return base+t
            rest=r[len(best):] if best.endswith('/') else os.path.basename(r)
            if best.endswith(('.ts','.tsx')): rest=os.path.basename(r)
            return os.path.normpath(base+t+rest)
    return f
def area(f,pl=True):
    p=place(f) if pl else f
    for base in(S,W,C):
        if p.startswith(base):
            a=p[len(base):].split('/')
            h=a[0] if len(a)>1 else ''
            if base==S and h=='platform': return 'platform'
            if base==S and h in('','demo'): return 'app'
            if base==W and h in('lib','ui'): return 'platform'
            if base==W and h in('','app'): return 'app'
            if base==C and h in('calls','workbook'): return 'platform'
            if base==C and h=='': return 'app'
            return h
    return None
def report(base):
    from collections import Counter
    w=Counter(); ex=defaultdict(list); nm=defaultdict(set)
    for f in files:
        if f.startswith(base) and not istest(f):
            for t,n in imp[f].items():
                if t.startswith(base):
                    a,b=area(f),area(t)
                    if a!=b: w[a,b]+=1; ex[a,b].append((f[len(base):],t[len(base):],','.join(sorted(n)))); nm[a,b]|={(t,x) for x in n}
    up=[(a,b) for a,b in w if ORDER.index(a)<ORDER.index(b)]
    print('AREA ARROWS', sorted(((a,b,n,len(nm[a,b])) for (a,b),n in w.items() if b!='platform' and a!='app'),key=lambda x:(ORDER.index(x[0]),ORDER.index(x[1]))))
    print('UP:'); 
    for k in sorted(up): 
        print(' ',k,w[k])
        for e in ex[k]: print('     ',*e)
    return w,ex,nm
if __name__=='__main__':
    for b in sys.argv[1:]:
        report({'S':S,'W':W,'C':C}[b])
