from graph import *
R='packages/reports/src/'
RR={'engine/definitions/':'definitions/','contract/':'wire/','engine/':'engine/','embed/':'embed-page/','drafts/':'authoring/drafts/','publish/':'authoring/publish/','published/':'authoring/published/','versions/':'authoring/versions/','export/':'exports/','workbook/':'exports/workbook/','spreadsheets/':'engine/spreadsheets/','rest/':'protocol/rest/','embed-api/':'protocol/embed-api/','http/':'http/','demo/':'demo/'}
RO=['http','definitions','wire','engine','embed-page','authoring','exports','archive','protocol','demo','']
def rplace(f):
    if not f.startswith(R): return f
    r=f[len(R):]; best=max((k for k in RR if r.startswith(k)),key=len,default=None)
    return f if best is None else R+RR[best]+r[len(best):]
def ra(f):
    p=rplace(f)[len(R):].split('/'); return p[0] if len(p)>1 else ''
if __name__=='__main__':
    from collections import Counter
    w=Counter();ex=defaultdict(list)
    for f in files:
        if f.startswith(R) and not istest(f) and '/embed/test/' not in f:
            for t in imp[f]:
                if t.startswith(R) and ra(f)!=ra(t): w[ra(f),ra(t)]+=1; ex[ra(f),ra(t)].append((f[len(R):],t[len(R):],','.join(imp[f][t])))
    print(sorted(w.items()))
    for k in w:
        if RO.index(k[0])<RO.index(k[1]): print('UP',k,ex[k])
    # embed mid-level
    def em(f):
        a=f[len(R+'embed/'):].split('/'); return '/'.join(a[:2]) if a[0]=='view' and len(a)>2 else (a[0] if len(a)>1 else '')
    c=defaultdict(list)
    for f in files:
        if f.startswith(R+'embed/') and not istest(f):
            for t in imp[f]:
                if t.startswith(R+'embed/') and em(f)!=em(t): c[em(f),em(t)].append((f[len(R+'embed/'):],t[len(R+'embed/'):],','.join(imp[f][t])))
    for k in sorted(c): print(k,len(c[k]), c[k] if len(c[k])<4 and (k[0] in('state','session') or k[0].startswith('view')) and ('view' in k[1] or k[1]=='session') else '')
