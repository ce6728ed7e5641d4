extension ContactSheetHTML {
    /// Light or dark as the reader's system is. Invisible parts are not laid out, so that ten thousand photographs
    /// scroll.
    static let style = """
        :root { color-scheme: light dark; --back: #f6f5f2; --card: #fff; --text: #1d1d1f; --soft: #6a6a70;
          --line: #dcdad4; --accent: #8a3324; --warn: #b45309; --fail: #b3261e; --plain: #e9e7e1; }
        @media (prefers-color-scheme: dark) {
          :root { --back: #17171a; --card: #222226; --text: #ececee; --soft: #a3a3ab; --line: #38383e;
            --accent: #f0997f; --warn: #f5b95f; --fail: #ff8a80; --plain: #2c2c31; }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.45 system-ui, sans-serif; }
        header { padding: 1.5rem 1.5rem .5rem; }
        h1 { margin: 0; font-size: 1.5rem; letter-spacing: -.01em; }
        header p { margin: .25rem 0 0; color: var(--soft); max-width: 75ch; }
        header .notice { color: var(--warn); }
        .filters { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem; padding: .75rem 1.5rem;
          background: var(--back); border-bottom: 1px solid var(--line); }
        input { position: absolute; opacity: 0; pointer-events: none; }
        label { padding: .3rem .8rem; border: 1px solid var(--line); border-radius: 99px; background: var(--card);
          cursor: pointer; }
        label::first-letter { text-transform: uppercase; }
        label b { color: var(--soft); font-weight: 500; font-variant-numeric: tabular-nums; }
        input:checked + label { background: var(--text); border-color: var(--text); color: var(--back); }
        input:checked + label b { color: inherit; }
        input:disabled + label { opacity: .45; cursor: default; }
        input:focus-visible + label, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        ol { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(21rem, 100%), 1fr)); gap: 1rem;
          list-style: none; margin: 0; padding: 1.25rem 1.5rem 3rem; }
        li { display: flex; flex-direction: column; min-width: 0; overflow: hidden; background: var(--card);
          border: 1px solid var(--line); border-radius: 10px; content-visibility: auto;
          contain-intrinsic-size: auto 21rem; }
        li.doubtful { border-color: var(--warn); }
        li.failed { border-color: var(--fail); }
        .pictures { display: flex; gap: 1px; height: 12rem; background: var(--line); }
        figure { position: relative; flex: 1; min-width: 0; margin: 0; background: var(--plain); }
        figure a { display: block; height: 100%; outline-offset: -3px; }
        img { display: block; width: 100%; height: 100%; object-fit: contain; }
        figcaption { position: absolute; left: .4rem; bottom: .4rem; padding: 0 .45rem; border-radius: 99px;
          background: #000a; color: #fff; font-size: .75rem; }
        .none { flex: 1; display: grid; place-items: center; margin: 0; background: var(--plain); color: var(--soft); }
        h2 { margin: .7rem .9rem 0; font-size: 1rem; font-weight: 600; white-space: nowrap; overflow: hidden;
          text-overflow: ellipsis; }
        li p { margin: .25rem .9rem 0; overflow-wrap: anywhere; }
        li .more { margin: auto .9rem 0; padding: .4rem 0 .8rem; display: flex; gap: .9rem; align-items: center;
          color: var(--soft); font-size: .85rem; }
        .doubt { margin-right: auto; display: inline-flex; gap: .4rem; align-items: center;
          font-variant-numeric: tabular-nums; }
        meter { width: 4rem; }
        a { color: var(--accent); }
        .badge { padding: 0 .5rem; border-radius: 99px; background: var(--plain); font-size: .8rem; }
        .failed .badge { background: var(--fail); color: var(--back); }
        .doubtful .badge { background: var(--warn); color: var(--back); }
        body:has(#doubtful:checked) li:not(.doubtful), body:has(#masked:checked) li:not(.masked),
        body:has(#noFace:checked) li:not(.noFace), body:has(#failed:checked) li:not(.failed),
        body:has(#ignored:checked) li:not(.ignored) { display: none; }
        """
}
