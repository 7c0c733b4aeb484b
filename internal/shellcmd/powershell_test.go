package shellcmd_test

import (
	"testing"

	"sidekick/internal/shellcmd"
)

func TestPowerShell(t *testing.T) {
	files := []string{"/proj/a.txt", "/proj/src/main.go"}
	e := shellcmd.Env{Cwd: "/proj", Home: "/home/u"}
	touch := []string{
		`Set-Content a.txt "x"`, `Set-Content -Path a.txt -Value "x"`, `"x" | Set-Content .\a.txt`, `sc a.txt x`,
		`"x" | Out-File a.txt`, `"x" | Out-File -FilePath src\main.go -Encoding utf8`, `Add-Content a.txt x`, `ac a.txt x`,
		`echo x > a.txt`, `echo x >> a.txt`, `"x" > src\main.go`, `Get-Process *> a.txt`, `Remove-Item a.txt`, `Remove-Item -Recurse -Force src`,
		`rm a.txt`, `del a.txt`, `ri .\a.txt`, `rm -r -fo src`, `Move-Item a.txt b.txt`, `mv b.txt a.txt`, `Copy-Item b.txt a.txt`, `cp b.txt a.txt -Force`,
		`Copy-Item -Path b.txt -Destination a.txt`, `Rename-Item a.txt c.txt`, `ren b.txt a.txt`, `Clear-Content a.txt`, `New-Item a.txt -Force`, `ni -Path a.txt -Force`,
		`[IO.File]::WriteAllText("a.txt", "x")`, `[System.IO.File]::WriteAllText("$PWD\a.txt", "x")`, `[System.IO.File]::AppendAllText('C:\x\a.txt', 'x'); Set-Content a.txt x`,
		`(Get-Content a.txt) -replace 'a','b' | Set-Content a.txt`, `(Get-Content a.txt).Replace('a','b') | Out-File a.txt`,
		`Get-Content a.txt | ForEach-Object { $_ -replace 'a','b' } | Set-Content a.txt`, `$f = "a.txt"; Set-Content $f "x"`, `$f = 'a.txt'; Set-Content -Path $f -Value x`,
		`cd src; Set-Content main.go x`, `Set-Location src; rm main.go`, `Get-ChildItem -Recurse -Filter *.go | Remove-Item`, `gci *.txt | % { Set-Content $_.FullName "x" }`,
		`Get-ChildItem -Recurse -Filter *.go | ForEach-Object { (Get-Content $_.FullName) -replace 'a','b' | Set-Content $_.FullName }`,
		`if (Test-Path a.txt) { Remove-Item a.txt }`, `git checkout -- a.txt`, `git reset --hard`, `git stash; git pull`, `gofmt -w src`, `Invoke-WebRequest https://x -OutFile a.txt`,
		`Tee-Object -FilePath a.txt`, `Set-Content -Path "a.txt" -Value @'` + "\nx\n'@", `Remove-Item *.txt`, "Set-Content `\n  -Path a.txt x", `Expand-Archive x.zip -DestinationPath .`,
	}
	pass := []string{
		`Get-Content a.txt`, `cat a.txt`, `type a.txt`, `gc a.txt | Select-String one`, `Get-Content a.txt | Set-Content b.txt`, `Copy-Item a.txt b.txt`, `cp a.txt b.txt`,
		`Get-ChildItem`, `ls src`, `dir`, `Test-Path a.txt`, `echo "a.txt"`, `Write-Output "Set-Content a.txt"`, `git status`, `git diff a.txt`, `git commit -m "Set-Content a.txt"`, `go test ./...`,
		`npm test`, `Remove-Item b.txt`, `Set-Content b.txt (Get-Content a.txt)`, `New-Item a.txt`, `Select-String -Path a.txt -Pattern one`, `Remove-Item a.txt -WhatIf`,
		`go build ./... 2>&1 | Select-Object -First 5`, `[IO.File]::ReadAllText("a.txt")`, `$x = Get-Content a.txt; $x.Length`, `Measure-Object -Line a.txt`, `go vet ./... 2> errors.log`, `# rm a.txt`,
		`cd docs; Set-Content other.txt x`,
	}
	for _, c := range touch {
		if _, ok := shellcmd.PowerShell(c, e, files); !ok {
			t.Errorf("passes: %s", c)
		}
	}
	for _, c := range pass {
		if got, ok := shellcmd.PowerShell(c, e, files); ok {
			t.Errorf("touches (%+v): %s", got, c)
		}
	}
}
